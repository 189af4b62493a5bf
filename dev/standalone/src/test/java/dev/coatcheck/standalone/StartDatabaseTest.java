package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

class StartDatabaseTest {
  @TempDir Path directory;

  @Test
  void the_database_is_there_until_the_last_bean_is_gone() throws SQLException {
    String url;
    LastUser user;
    try (var context = run("--coatcheck.data-dir=" + directory)) {
      url = context.getEnvironment().getRequiredProperty(StartDatabase.URL);
      user = context.getBean(LastUser.class);
      assertThat(directory.resolve("postgres-18")).isDirectory();
    }
    assertThat(user.answers).containsExactly(true);
    assertThatThrownBy(() -> DriverManager.getConnection(url, "postgres", ""))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void a_configured_database_is_left_alone() {
    try (var context = run("--coatcheck.data-dir=" + directory, "--spring.datasource.url=jdbc:x")) {
      assertThat(context.getEnvironment().getProperty(StartDatabase.URL)).isEqualTo("jdbc:x");
      assertThat(directory).isEmptyDirectory();
    }
  }

  private static ConfigurableApplicationContext run(String... arguments) {
    return new SpringApplicationBuilder(Beans.class)
        .web(WebApplicationType.NONE)
        .initializers(new StartDatabase())
        .run(arguments);
  }

  static class Beans {
    @Bean
    LastUser lastUser(org.springframework.core.env.Environment environment) {
      return new LastUser(environment.getRequiredProperty(StartDatabase.URL));
    }
  }

  /** Asks the database once more while it is destroyed, as a pool does. */
  static final class LastUser implements AutoCloseable {
    private final String url;
    private final List<Boolean> answers = new ArrayList<>();

    LastUser(String url) {
      this.url = url;
    }

    @Override
    public void close() throws SQLException {
      if (url.startsWith("jdbc:postgresql:")) {
        try (var connection = DriverManager.getConnection(url, "postgres", "")) {
          answers.add(connection.isValid(1));
        }
      }
    }
  }
}
