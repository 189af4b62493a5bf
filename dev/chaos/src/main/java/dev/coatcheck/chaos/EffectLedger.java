package dev.coatcheck.chaos;

import dev.coatcheck.postgres.EmbeddedPostgres;
import dev.coatcheck.postgres.PostgresSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What tools did to the world, written where it happened: in a database of its own, on a server of
 * its own, which no fault reaches.
 */
final class EffectLedger implements AutoCloseable {
  private final EmbeddedPostgres postgres;
  private final JdbcClient database;

  private EffectLedger(EmbeddedPostgres postgres) {
    this.postgres = postgres;
    this.database = Connect.to(postgres);
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
    int _ =
        ledger
            .database
            .sql(
                """
            create table effect (
              number bigint generated always as identity primary key,
              tool text not null, effect_key text not null, at timestamptz not null default clock_timestamp());
            create table applied (tool text, effect_key text, primary key (tool, effect_key))
            """)
            .update();
    return ledger;
  }

  /** Happens each time. */
  void happen(String tool, String effectKey) {
    int _ =
        database
            .sql("insert into effect (tool, effect_key) values (?, ?)")
            .params(tool, effectKey)
            .update();
  }

  /** Happens once a key, as at a remote that honours it. */
  void happenOnce(String tool, String effectKey) {
    int _ =
        database
            .sql(
                """
                with first as (
                  insert into applied (tool, effect_key) values (?, ?) on conflict do nothing
                  returning tool, effect_key)
                insert into effect (tool, effect_key) select tool, effect_key from first
                """)
            .params(tool, effectKey)
            .update();
  }

  /** In their order. */
  List<Effect> effects() {
    return database
        .sql("select tool, effect_key, at from effect order by number")
        .query(
            (row, number) ->
                new Effect(
                    row.getString(1),
                    row.getString(2),
                    row.getObject(3, OffsetDateTime.class).toInstant()))
        .list();
  }

  @Override
  public void close() {
    postgres.close();
  }
}
