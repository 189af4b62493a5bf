package dev.coatcheck.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir Path directory;

  @Test
  void an_empty_directory_becomes_a_utf8_database_that_sorts_by_code_point() throws SQLException {
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(ask(server.jdbcUrl(), "select current_setting('server_encoding')"))
          .isEqualTo("UTF8");
      assertThat(ask(server.jdbcUrl(), "select ('Z' < 'a')::text || upper('ä')"))
          .isEqualTo("trueÄ");
      assertThat(ask(server.jdbcUrl(), "select current_setting('fsync')")).isEqualTo("on");
      assertThat(ask(server.jdbcUrl(), "show server_version")).startsWith("18.");
    }
  }

  @Test
  void it_listens_on_loopback_alone() throws SQLException {
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(
              ask(
                  server.jdbcUrl(),
                  "select current_setting('listen_addresses')"
                      + " || current_setting('unix_socket_directories')"))
          .isEqualTo("127.0.0.1");
    }
  }

  @Test
  void data_survive_a_stop_a_restart_and_a_crash_on_the_same_port() throws SQLException {
    try (var server = EmbeddedPostgres.start(durable())) {
      var url = server.jdbcUrl();
      run(url, "create table kept as select 1 as n");
      server.restart();
      run(url, "update kept set n = n + 1");
      server.crash();
      assertThat(server.isRunning()).isFalse();
      server.start();
      assertThat(ask(url, "select n from kept")).isEqualTo("2");
    }
    try (var again = EmbeddedPostgres.start(durable())) {
      assertThat(ask(again.jdbcUrl(), "select n from kept")).isEqualTo("2");
    }
  }

  @Test
  void a_second_server_on_one_directory_is_refused_in_one_sentence() {
    try (var server = EmbeddedPostgres.start(durable())) {
      var sentence =
          "The data directory %s is in use by another running Coatcheck.".formatted(directory);
      assertThatThrownBy(() -> EmbeddedPostgres.start(durable())).hasMessage(sentence);
      try (var other = ServerInAnotherJvm.start("durable", directory)) {
        assertThat(other.line()).isEqualTo(sentence);
      }
      assertThat(server.isRunning()).isTrue();
    }
  }

  @Test
  void a_server_of_another_jvm_is_found_while_it_runs() {
    assertThat(EmbeddedPostgres.findRunning(directory)).isEmpty();
    var other = ServerInAnotherJvm.start("durable", directory);
    assertThat(EmbeddedPostgres.findRunning(directory)).contains(other.jdbcUrl());
    other.kill();
    await().atMost(SOON).until(() -> EmbeddedPostgres.findRunning(directory).isEmpty());
  }

  @Test
  void the_server_of_a_killed_jvm_ends_by_itself_and_keeps_its_data() throws SQLException {
    var other = ServerInAnotherJvm.start("durable", directory);
    run(other.jdbcUrl(), "create table kept as select 7 as n");
    var postmaster = other.postmaster();
    other.kill();
    await().atMost(SOON).until(() -> !postmaster.isAlive());
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(ask(server.jdbcUrl(), "select n from kept")).isEqualTo("7");
    }
  }

  @Test
  void a_postmaster_left_alone_by_all_is_stopped_and_its_data_are_taken_over() throws SQLException {
    var other = ServerInAnotherJvm.start("durable", directory);
    run(other.jdbcUrl(), "create table kept as select 7 as n");
    var postmaster = other.postmaster();
    other.supervisor().destroyForcibly();
    other.kill();
    assertThat(postmaster.isAlive()).isTrue();
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(ask(server.jdbcUrl(), "select n from kept")).isEqualTo("7");
      await().atMost(SOON).until(() -> !postmaster.isAlive());
    }
  }

  @Test
  void a_pid_file_that_names_a_stranger_does_not_hinder_a_start() throws Exception {
    try (var server = EmbeddedPostgres.start(durable())) {
      run(server.jdbcUrl(), "create table kept as select 7 as n");
      server.crash();
    }
    var file = PidFile.in(durable().cluster());
    var lines = Files.readAllLines(file);
    lines.set(0, String.valueOf(ProcessHandle.current().pid()));
    Files.write(file, lines);
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(ask(server.jdbcUrl(), "select n from kept")).isEqualTo("7");
    }
  }

  @Test
  void a_half_made_cluster_is_made_anew() throws IOException {
    Files.createDirectories(directory.resolve("initialising/base"));
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(server.isRunning()).isTrue();
    }
    assertThat(directory.resolve("initialising")).doesNotExist();
  }

  @Test
  void a_disposable_server_takes_its_directory_along() {
    try (var server = EmbeddedPostgres.start(PostgresSettings.disposable(directory.resolve("d")))) {
      server.crash();
      server.start();
      assertThat(directory.resolve("d/postgres-18")).exists();
    }
    assertThat(directory.resolve("d")).doesNotExist();
  }

  @Test
  void a_disposable_server_of_a_killed_jvm_leaves_nothing() {
    var temporary = directory.resolve("d");
    var other = ServerInAnotherJvm.start("disposable", temporary);
    var postmaster = other.postmaster();
    other.kill();
    await().atMost(SOON).until(() -> !postmaster.isAlive() && Files.notExists(temporary));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_terminal_cannot_signal_it_for_it_has_a_session_of_its_own() throws IOException {
    try (var server = EmbeddedPostgres.start(durable())) {
      assertThat(session(server.pid())).isNotEqualTo(session(ProcessHandle.current().pid()));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledIfSystemProperty(named = "user.name", matches = "root")
  void root_runs_it_as_nobody_where_user_namespaces_are_forbidden() throws Exception {
    var closed = PostgresSettings.disposable(directory.resolve("d"));
    assertThatThrownBy(() -> EmbeddedPostgres.start(closed, OrdinaryUser.asNobody()))
        .hasMessageContaining("may not enter " + directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    try (var server =
        EmbeddedPostgres.start(
            PostgresSettings.disposable(directory.resolve("d")), OrdinaryUser.asNobody())) {
      assertThat(ask(server.jdbcUrl(), "select 1")).isEqualTo("1");
    }
  }

  @Test
  void a_port_in_use_is_named_in_the_refusal() {
    try (var server = EmbeddedPostgres.start(durable())) {
      var taken = PostgresSettings.durable(directory.resolve("other"), server.port());
      assertThatThrownBy(() -> EmbeddedPostgres.start(taken))
          .isInstanceOf(PostgresFailedException.class)
          .hasMessageContaining("Address already in use");
    }
  }

  private PostgresSettings durable() {
    return PostgresSettings.durable(directory, 0);
  }

  private static String session(long pid) throws IOException {
    var stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
  }

  private static String ask(String url, String query) throws SQLException {
    try (var connection = DriverManager.getConnection(url, EmbeddedPostgres.USERNAME, "");
        var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void run(String url, String command) throws SQLException {
    try (var connection = DriverManager.getConnection(url, EmbeddedPostgres.USERNAME, "");
        var statement = connection.createStatement()) {
      statement.execute(command);
    }
  }
}
