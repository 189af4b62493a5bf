package dev.coatcheck.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One job, five tools, three kills, and what became of it. */
public final class Demo {
  private Demo() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("coatcheck-demo");
    var say = new Say();
    say.plain("Starting PostgreSQL, an app, a worker, and a simulated model.");
    boolean holds;
    try (var tools = new ToolServer(say);
        var house = House.start(directory, tools)) {
      say.start();
      holds = new Story(house, tools, say).tell();
    }
    System.exit(holds ? 0 : 1);
  }
}
