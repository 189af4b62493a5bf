package dev.coatcheck.standalone;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Everything in one process: web tier, worker, database, dashboard. */
@SpringBootApplication
public class StandaloneApplication {
  public static void main(String[] arguments) {
    var application = new SpringApplication(StandaloneApplication.class);
    application.addInitializers(new StartDatabase(), new FallBackToSimulator());
    application.run(arguments);
  }
}
