package dev.coatcheck.standalone;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts this process. */
@SpringBootApplication
public class StandaloneApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(StandaloneApplication.class, arguments);
  }
}
