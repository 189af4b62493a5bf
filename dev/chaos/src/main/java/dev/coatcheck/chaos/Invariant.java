package dev.coatcheck.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What must hold in the database: each is a file of {@code docs/invariants}. */
public enum Invariant {
  ENDED_IN_TIME("I1", "I01-ended-in-time.sql"),
  ONE_OUTCOME("I2", "I02-one-outcome.sql"),
  ONLY_ALLOWED_MOVES("I2", "audit/I02-only-allowed-moves.sql"),
  ENDED_JOBS_NEVER_CHANGE("I2", "audit/I02-ended-jobs-never-change.sql"),
  ONE_JOB_PER_KEY("I3", "I03-one-job-per-key.sql"),
  ONE_EFFECT_PER_KEY("I4", "I04-one-effect-per-key.sql"),
  IN_DOUBT_WAITS("I5", "I05-in-doubt-waits.sql"),
  CALLS_FOLLOW_THEIR_TURN("I6", "I06-calls-follow-their-turn.sql"),
  TURNS_WERE_ANSWERED("I6", "I06-turns-were-answered.sql"),
  NO_STALE_WRITE("I7", "audit/I07-no-stale-write.sql"),
  ATTEMPTS_IN_BOUNDS("I8", "I08-attempts-in-bounds.sql"),
  WEBHOOKS_DELIVERED("I11", "I11-webhooks-delivered.sql"),
  NOTHING_STRANDED("I12", "I12-nothing-stranded.sql"),
  UNKNOWN_IS_NEVER_FREE("I13", "I13-unknown-is-never-free.sql"),
  EVENTS_IN_ORDER("I17", "I17-events-in-order.sql");

  /** Makes the triggers that those in {@code audit} need. */
  static final String AUDIT = "audit/install.sql";

  private static final int MOST_ROWS = 20;

  private final String number;
  private final String file;

  Invariant(String number, String file) {
    this.number = number;
    this.file = file;
  }

  public String number() {
    return number;
  }

  public String file() {
    return file;
  }

  /** The rows that break it, as text; at most 20. */
  public List<String> broken(JdbcClient database) {
    return database
        .sql(text(file))
        .withMaxRows(MOST_ROWS)
        .query((row, number) -> describe(row))
        .list();
  }

  private static String describe(ResultSet row) throws SQLException {
    var columns = row.getMetaData();
    var line = new ArrayList<String>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      line.add(columns.getColumnLabel(i) + "=" + row.getString(i));
    }
    return String.join(" ", line);
  }

  public static void installAudit(JdbcClient database) {
    int _ = database.sql(text(AUDIT)).update();
  }

  private static String text(String file) {
    try (var in = Invariant.class.getResourceAsStream("invariants/" + file)) {
      if (in == null) {
        throw new IllegalStateException("docs/invariants/" + file + " is not in the jar");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
