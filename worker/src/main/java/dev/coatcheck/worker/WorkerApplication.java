package dev.coatcheck.worker;

import dev.coatcheck.db.CommonDefaults;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The worker as a process of its own. It serves nothing but its health. */
@SpringBootConfiguration
@EnableAutoConfiguration(
    exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@Import(WorkerConfiguration.class)
public class WorkerApplication {
  public static void main(String[] arguments) {
    new SpringApplicationBuilder(WorkerApplication.class)
        .properties(CommonDefaults.properties())
        .properties(WorkerDefaults.engine())
        .properties(WorkerDefaults.process())
        .run(arguments);
  }
}
