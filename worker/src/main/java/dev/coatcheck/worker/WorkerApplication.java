package dev.coatcheck.worker;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts this process. */
@SpringBootApplication
public class WorkerApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(WorkerApplication.class, arguments);
  }
}
