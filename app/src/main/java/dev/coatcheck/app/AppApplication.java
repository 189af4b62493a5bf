package dev.coatcheck.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The web tier as a process of its own. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    exclude = {
      DataSourceAutoConfiguration.class,
      FlywayAutoConfiguration.class,
      ErrorMvcAutoConfiguration.class
    })
@Import(AppConfiguration.class)
public class AppApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(AppApplication.class, arguments);
  }
}
