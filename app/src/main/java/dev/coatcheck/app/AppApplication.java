package dev.coatcheck.app;

import dev.coatcheck.app.key.KeysCommand;
import dev.coatcheck.db.CommonDefaults;
import java.util.List;
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
    if (KeysCommand.isMeant(arguments)) {
      System.exit(new KeysCommand(System.out, System.err).run(List.of(arguments), List.of()));
    }
    builder().run(arguments);
  }

  static SpringApplicationBuilder builder() {
    return new SpringApplicationBuilder(AppApplication.class)
        .properties(CommonDefaults.properties())
        .properties(AppDefaults.web())
        .properties(Map.of("spring.application.name", "coatcheck-app"));
  }
}
