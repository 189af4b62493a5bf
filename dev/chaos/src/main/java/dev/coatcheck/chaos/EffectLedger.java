package dev.coatcheck.chaos;

import dev.coatcheck.postgres.EmbeddedPostgres;
import dev.coatcheck.postgres.PostgresSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What tools did to the world, written where it happened: in a database of its own, on a server of
 * its own, which no fault reaches.
 */
final class EffectLedger implements AutoCloseable {
  private final EmbeddedPostgres postgres;

  private EffectLedger(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  /**
   * One effect.
   *
   * @param tool its name
   * @param effectKey as the caller sent it
   */
  record Effect(String tool, String effectKey, Instant at) {}

  static EffectLedger start(Path directory) {
    var ledger =
        new EffectLedger(
            EmbeddedPostgres.start(
                new PostgresSettings(directory, 0, PostgresSettings.Keeping.DISPOSABLE, Map.of())));
    try (var connection = ledger.connect();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          create table effect (
            number bigint generated always as identity primary key,
            tool text not null, effect_key text not null, at timestamptz not null default clock_timestamp())
          """);
      statement.execute(
          "create table applied (tool text, effect_key text, primary key (tool, effect_key))");
      return ledger;
    } catch (SQLException e) {
      ledger.close();
      throw new ChaosFailed("no ledger of effects", e);
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), EmbeddedPostgres.USERNAME, "");
  }

  /** Happens each time. */
  void happen(String tool, String effectKey) throws SQLException {
    run("insert into effect (tool, effect_key) values (?, ?)", tool, effectKey);
  }

  /** Happens once a key, as at a remote that honours it. */
  void happenOnce(String tool, String effectKey) throws SQLException {
    run(
        """
        with first as (
          insert into applied (tool, effect_key) values (?, ?) on conflict do nothing
          returning tool, effect_key)
        insert into effect (tool, effect_key) select tool, effect_key from first
        """,
        tool,
        effectKey);
  }

  private void run(String sql, String tool, String effectKey) throws SQLException {
    try (var connection = connect();
        var statement = connection.prepareStatement(sql)) {
      statement.setString(1, tool);
      statement.setString(2, effectKey);
      statement.executeUpdate();
    }
  }

  /** In their order. */
  List<Effect> effects() throws SQLException {
    var found = new ArrayList<Effect>();
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery("select tool, effect_key, at from effect order by number")) {
      while (rows.next()) {
        found.add(
            new Effect(
                rows.getString(1),
                rows.getString(2),
                rows.getObject(3, OffsetDateTime.class).toInstant()));
      }
    }
    return found;
  }

  @Override
  public void close() {
    postgres.close();
  }
}
