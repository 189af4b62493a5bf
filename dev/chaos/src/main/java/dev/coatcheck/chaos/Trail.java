package dev.coatcheck.chaos;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the database knows of a run: ends, and the moves that the audit triggers wrote down. */
record Trail(
    Map<String, CheckHistory.Row> rows,
    int parks,
    int reaps,
    int reconciles,
    int indeterminate,
    Times times) {
  Trail {
    rows = Map.copyOf(rows);
  }

  /**
   * When what happened to jobs.
   *
   * @param lives in the order of their ends
   */
  record Times(List<Moved> movedAgain, List<Released> released, List<Life> lives) {
    static final Times NONE = new Times(List.of(), List.of(), List.of());

    Times {
      movedAgain = List.copyOf(movedAgain);
      released = List.copyOf(released);
      lives = List.copyOf(lives);
    }
  }

  /** A job that a worker gave back when it was asked to stop. */
  record Released(Instant at, Instant again) {}

  /** A job that has ended. */
  record Life(Instant created, Instant ended) {}

  /**
   * A job whose run was lost for the first time, so that it need not rest.
   *
   * @param renewed the lost lease's last renewal, which is no later than the loss
   * @param again when the job ran next
   * @param isLostTwice whether its new dispatch was lost before that: emptied away, or claimed by a
   *     worker that was killed as well
   * @param story when it was reaped and ran again
   */
  record Moved(Instant renewed, Instant again, boolean isLostTwice, String story) {
    double seconds() {
      return Duration.between(renewed, again).toMillis() / 1000.0;
    }
  }

  static Trail read(JdbcClient database) {
    return new Trail(
        rows(database),
        number(
            database,
            """
            select count(*) from coatcheck_audit.job_move
            where from_status = 'in_progress' and to_status = 'queued' and to_deaths = from_deaths
              and wake_at > at
            """),
        number(
            database,
            """
            select count(*) from coatcheck_audit.job_move
            where from_status = 'in_progress' and to_deaths = from_deaths + 1
            """),
        number(
            database,
            """
            select count(*) from coatcheck_audit.job_move
            where from_status = 'queued' and to_status = 'queued' and to_dispatch = from_dispatch + 1
            """),
        number(database, "select count(*) from attempt where state = 'indeterminate'"),
        new Times(movedAgain(database), released(database), lives(database)));
  }

  private static Map<String, CheckHistory.Row> rows(JdbcClient database) {
    var found = new HashMap<String, CheckHistory.Row>();
    database
        .sql("select idempotency_key, id, status, coalesce(error_code, '') from job")
        .query(
            row -> {
              found.put(
                  row.getString(1),
                  new CheckHistory.Row(row.getString(2), row.getString(3), row.getString(4)));
            });
    return found;
  }

  private static int number(JdbcClient database, String sql) {
    return database.sql(sql).query(Integer.class).single();
  }

  /** The quickest first. */
  private static List<Moved> movedAgain(JdbcClient database) {
    return database
        .sql(
            """
            select reaped.lease_ran_out - interval '%d seconds', min(again.at),
              coalesce(min(lost.move) < min(again.move), false),
              job.idempotency_key || ': lease ran out ' || reaped.lease_ran_out || ', reaped ' || reaped.at
                || ', ran again ' || min(again.at) as story
            from coatcheck_audit.job_move reaped
            join coatcheck_audit.job_move again
              on again.job_id = reaped.job_id and again.move > reaped.move and again.to_status = 'in_progress'
            left join coatcheck_audit.job_move lost
              on lost.job_id = reaped.job_id and lost.move > reaped.move
              and lost.from_status = 'queued' and lost.to_status = 'queued'
            join job on job.id = reaped.job_id
            where reaped.from_status = 'in_progress' and reaped.from_deaths = 0 and reaped.to_deaths = 1
            group by reaped.move, reaped.at, reaped.lease_ran_out, job.idempotency_key
            order by min(again.at) - reaped.lease_ran_out
            """
                .formatted(Cluster.LEASE.toSeconds()))
        .query(
            (row, number) -> new Moved(at(row, 1), at(row, 2), row.getBoolean(3), row.getString(4)))
        .list();
  }

  private static Instant at(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** Jobs that went back to the queue without a wait or a death, and when they ran next. */
  private static List<Released> released(JdbcClient database) {
    return database
        .sql(
            """
            select released.at, min(again.at)
            from coatcheck_audit.job_move released
            join coatcheck_audit.job_move again
              on again.job_id = released.job_id and again.move > released.move and again.to_status = 'in_progress'
            where released.from_status = 'in_progress' and released.to_status = 'queued'
              and released.from_deaths = released.to_deaths and released.wake_at <= released.at
            group by released.move, released.at
            """)
        .query((row, number) -> new Released(at(row, 1), at(row, 2)))
        .list();
  }

  private static List<Life> lives(JdbcClient database) {
    return database
        .sql("select created_at, ended_at from job where ended_at is not null order by ended_at")
        .query((row, number) -> new Life(at(row, 1), at(row, 2)))
        .list();
  }
}
