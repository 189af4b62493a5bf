package dev.coatcheck.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the database knows of a run: ends, and the moves that the audit triggers wrote down. */
record Trail(
    Map<String, CheckHistory.Row> rows,
    int reaps,
    int reconciles,
    int indeterminate,
    List<Moved> movedAgain) {
  Trail {
    rows = Map.copyOf(rows);
    movedAgain = List.copyOf(movedAgain);
  }

  /**
   * A job whose run was lost for the first time, so that it need not rest.
   *
   * @param seconds from the lost lease's last renewal until the next run
   * @param story when it was reaped and ran again
   */
  record Moved(double seconds, String story) {}

  static Trail read(Connection connection) throws SQLException {
    return new Trail(
        rows(connection),
        number(
            connection,
            """
            select count(*) from coatcheck_audit.job_move
            where from_status = 'in_progress' and to_deaths = from_deaths + 1
            """),
        number(
            connection,
            """
            select count(*) from coatcheck_audit.job_move
            where from_status = 'queued' and to_status = 'queued' and to_dispatch = from_dispatch + 1
            """),
        number(connection, "select count(*) from attempt where state = 'indeterminate'"),
        movedAgain(connection));
  }

  private static Map<String, CheckHistory.Row> rows(Connection connection) throws SQLException {
    var found = new HashMap<String, CheckHistory.Row>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select idempotency_key, id, status, coalesce(error_code, '') from job")) {
      while (rows.next()) {
        found.put(
            rows.getString(1),
            new CheckHistory.Row(rows.getString(2), rows.getString(3), rows.getString(4)));
      }
    }
    return found;
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** The quickest first. */
  private static List<Moved> movedAgain(Connection connection) throws SQLException {
    var found = new ArrayList<Moved>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                select extract(epoch from min(again.at) - reaped.lease_ran_out) + %d as seconds,
                  job.idempotency_key || ': lease ran out ' || reaped.lease_ran_out || ', reaped ' || reaped.at
                    || ', ran again ' || min(again.at) as story
                from coatcheck_audit.job_move reaped
                join coatcheck_audit.job_move again
                  on again.job_id = reaped.job_id and again.move > reaped.move and again.to_status = 'in_progress'
                join job on job.id = reaped.job_id
                where reaped.from_status = 'in_progress' and reaped.from_deaths = 0 and reaped.to_deaths = 1
                group by reaped.move, reaped.at, reaped.lease_ran_out, job.idempotency_key
                order by seconds
                """
                    .formatted(Cluster.LEASE.toSeconds()))) {
      while (rows.next()) {
        found.add(new Moved(rows.getDouble(1), rows.getString(2)));
      }
    }
    return found;
  }
}
