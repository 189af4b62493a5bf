package dev.coatcheck.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coatcheck.processes.StartServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks for what tenants wrote, and for secrets, in every place where they must not be. */
final class CheckCanaries {
  /** Where requests and answers belong. */
  private static final Set<String> OF_REQUESTS_AND_ANSWERS =
      Set.of("job_request.body", "turn.message");

  private static final List<String> SECRETS =
      List.of(Canary.SECRET, StartServers.API_KEY, Launcher.OTHER_API_KEY, HookLedger.SECRET);
  private static final List<String> CONTENT =
      List.of(Canary.of("default"), Canary.of(Launcher.OTHER_TENANT));

  private final Cluster cluster;
  private final List<String> broken = new ArrayList<>();
  private int places;

  CheckCanaries(Cluster cluster) {
    this.cluster = cluster;
  }

  Check check() {
    logs();
    cluster.members().forEach(m -> look("metrics of " + m.name(), m.metrics()));
    var database = cluster.sql();
    columns(database).forEach(column -> look(database, column));
    return new Check(
        "I14", "no prompt and no secret where it must not be", places + " places", broken);
  }

  private void logs() {
    try (Stream<Path> files = Files.list(cluster.logs())) {
      files
          .filter(file -> !file.getFileName().toString().startsWith("simulator"))
          .forEach(file -> look("log " + file.getFileName(), text(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void look(String place, String text) {
    places++;
    Stream.concat(SECRETS.stream(), CONTENT.stream())
        .filter(text::contains)
        .forEach(canary -> broken.add(place + " has " + canary));
  }

  private record Column(String table, String name, boolean isBytes) {
    boolean mayHaveContent() {
      return OF_REQUESTS_AND_ANSWERS.contains(table + "." + name);
    }
  }

  private static List<Column> columns(JdbcClient database) {
    return database
        .sql(
            """
            select table_name, column_name, data_type = 'bytea' from information_schema.columns
            join information_schema.tables using (table_schema, table_name)
            where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2
            """)
        .query((row, number) -> new Column(row.getString(1), row.getString(2), row.getBoolean(3)))
        .list();
  }

  private void look(JdbcClient database, Column column) {
    places++;
    var canaries = new ArrayList<>(SECRETS);
    if (!column.mayHaveContent()) {
      canaries.addAll(CONTENT);
    }
    var has =
        column.isBytes
            ? "position(convert_to(canary, 'UTF8') in \"%s\") > 0"
            : "position(canary in \"%s\"::text) > 0";
    database
        .sql(
            "select canary from unnest(?::text[]) canary where exists (select from \"%s\" where %s)"
                .formatted(column.table, has.formatted(column.name)))
        .param(canaries.toArray(String[]::new))
        .query(String.class)
        .list()
        .forEach(canary -> broken.add("%s.%s has %s".formatted(column.table, column.name, canary)));
  }
}
