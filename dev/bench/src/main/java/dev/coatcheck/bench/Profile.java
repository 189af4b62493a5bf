package dev.coatcheck.bench;

import dev.coatcheck.postgres.PostgresSettings;
import dev.coatcheck.processes.StackSettings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** What a scenario spends its time on. Its figures are worth less meanwhile: looking costs. */
final class Profile {
  private static final Map<String, String> SERVER =
      Map.of(
          "shared_preload_libraries", "pg_stat_statements,auto_explain",
          "auto_explain.log_min_duration", "4ms",
          "auto_explain.log_analyze", "on",
          "auto_explain.log_buffers", "on",
          "auto_explain.log_timing", "off");

  private Profile() {}

  /** Each JVM leaves a recording, and PostgreSQL counts its statements. */
  static StackSettings watched(StackSettings settings, Path place) {
    var heap = settings.heap();
    var recording =
        "-XX:StartFlightRecording:settings=profile,dumponexit=true,filename=%s/%%p.jfr"
            .formatted(place.toAbsolutePath());
    return new StackSettings(
        new PostgresSettings(
            settings.postgres().directory(),
            settings.postgres().port(),
            settings.postgres().keeping(),
            SERVER),
        settings.logs(),
        settings.workers(),
        new StackSettings.Heap(heap.app(), heap.worker(), heap.simulator(), List.of(recording)),
        settings.properties());
  }

  static void begin(Database database) throws SQLException {
    database.execute("create extension if not exists pg_stat_statements");
    database.execute("select pg_stat_statements_reset()");
  }

  /** The statements that took most, over all runs. */
  static String statements(Database database) throws SQLException {
    return database.text(
        """
        select string_agg(line, E'\\n') from (
          select format('  %s calls %s ms %s rows %s B of log  %s', lpad(sum(calls)::text, 8),
            lpad(round(sum(total_exec_time))::text, 7), lpad(sum(rows)::text, 8),
            lpad(sum(wal_bytes)::text, 10),
            left(regexp_replace(min(query), '\\s+', ' ', 'g'), 110)) as line
          from pg_stat_statements join pg_database on pg_database.oid = dbid
          where datname = current_database()
          group by queryid order by sum(total_exec_time) desc limit 30) as busiest
        """);
  }
}
