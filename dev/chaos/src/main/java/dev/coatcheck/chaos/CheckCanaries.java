package dev.coatcheck.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coatcheck.processes.StartServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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

  Check check() throws SQLException {
    logs();
    cluster.members().forEach(m -> look("metrics of " + m.name(), m.metrics()));
    try (var connection = cluster.connect()) {
      for (var column : columns(connection)) {
        look(connection, column);
      }
    }
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

  private static List<Column> columns(Connection connection) throws SQLException {
    var found = new ArrayList<Column>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                select table_name, column_name, data_type = 'bytea' from information_schema.columns
                join information_schema.tables using (table_schema, table_name)
                where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2
                """)) {
      while (rows.next()) {
        found.add(new Column(rows.getString(1), rows.getString(2), rows.getBoolean(3)));
      }
    }
    return found;
  }

  private void look(Connection connection, Column column) throws SQLException {
    places++;
    var canaries = new ArrayList<>(SECRETS);
    if (!column.mayHaveContent()) {
      canaries.addAll(CONTENT);
    }
    var expression =
        column.isBytes
            ? "position(convert_to(?, 'UTF8') in \"%s\") > 0"
            : "\"%s\"::text like '%%' || ? || '%%'";
    var sql =
        "select count(*) from \"%s\" where ".formatted(column.table)
            + expression.formatted(column.name);
    for (var canary : canaries) {
      try (var statement = connection.prepareStatement(sql)) {
        statement.setString(1, canary);
        try (var rows = statement.executeQuery()) {
          if (rows.next() && rows.getLong(1) > 0) {
            broken.add("%s.%s has %s".formatted(column.table, column.name, canary));
          }
        }
      }
    }
  }
}
