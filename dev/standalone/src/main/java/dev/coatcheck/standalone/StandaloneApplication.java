package dev.coatcheck.standalone;

import dev.coatcheck.app.AppConfiguration;
import dev.coatcheck.app.AppDefaults;
import dev.coatcheck.app.key.KeysCommand;
import dev.coatcheck.app.tenant.Admission;
import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.worker.WorkerConfiguration;
import dev.coatcheck.worker.WorkerDefaults;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** Everything in one process: web tier, worker, dashboard, and where need be database, provider. */
@SpringBootConfiguration
@EnableAutoConfiguration(
    exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@Import({AppConfiguration.class, WorkerConfiguration.class})
public class StandaloneApplication {
  private static final Map<String, Object> DEFAULTS =
      Map.of(
          "spring.application.name", "coatcheck",
          "coatcheck.standalone", "true",
          "jobrunr.dashboard.enabled", "true",
          // The greeting is to be the last that a newcomer reads.
          "logging.level.org.jobrunr", "warn");

  public static void main(String[] arguments) {
    if (KeysCommand.isMeant(arguments)) {
      System.exit(
          new KeysCommand(System.out, System.err)
              .run(List.of(arguments), List.of(new FindDatabase(), new StartDatabase())));
    }
    var context =
        new SpringApplicationBuilder(StandaloneApplication.class)
            .properties(CommonDefaults.properties())
            .properties(AppDefaults.web())
            .properties(WorkerDefaults.engine())
            .properties(DEFAULTS)
            .initializers(new StartDatabase(), new FallBackToSimulator())
            .run(arguments);
    LoggerFactory.getLogger(StandaloneApplication.class).info(greeting(context).text());
  }

  private static Greeting greeting(ConfigurableApplicationContext context) {
    var access =
        switch (context.getBean(Admission.class)) {
          case Admission.Open open -> Greeting.Access.THIS_MACHINE;
          case Admission.ByKey byKey -> Greeting.Access.API_KEY;
        };
    return new Greeting(context.getEnvironment(), access);
  }
}
