package dev.coatcheck.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts this process. */
@SpringBootApplication
public class AppApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(AppApplication.class, arguments);
  }
}
