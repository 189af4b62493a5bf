package dev.coatcheck.chaos.simulation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads what is in the database, from outside of the simulation. */
record Look(Connection connection) {
  static Look at(Connection connection) {
    return new Look(connection);
  }

  /** The first column of each row. */
  List<String> lines(String sql) throws SQLException {
    var found = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  int number(String sql) throws SQLException {
    return Integer.parseInt(lines(sql).getFirst());
  }

  void change(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
