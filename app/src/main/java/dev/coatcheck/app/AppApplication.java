package dev.coatcheck.app;

import dev.coatcheck.db.CommonDefaults;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The web tier as a process of its own. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@Import(AppConfiguration.class)
public class AppApplication {
  public static void main(String[] arguments) {
    builder().run(arguments);
  }

  static SpringApplicationBuilder builder() {
    return new SpringApplicationBuilder(AppApplication.class)
        .properties(CommonDefaults.properties())
        .properties(
            Map.of(
                "spring.application.name", "coatcheck-app",
                // Each unknown path would be a warning, with the path in it.
                "logging.level.org.springframework.web.servlet.PageNotFound", "error",
                "logging.level.org.apache.coyote.http11", "warn"));
  }
}
