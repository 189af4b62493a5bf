package dev.coatcheck.simulator;

import java.util.concurrent.CountDownLatch;

/** The simulator as a process of its own. Its first line of output is its base URL. */
public final class SimulatorMain {
  private static final String USAGE =
      """
      options: --port=8089 (0: a free one)  --host=127.0.0.1  --latency=400ms..1500ms
               --ledger-entries=10000  --ledger-bytes=67108864 (0: no bodies)""";

  private SimulatorMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    SimulatorSettings settings;
    try {
      settings = settings(arguments);
    } catch (IllegalArgumentException unreadable) {
      System.err.println(unreadable.getMessage() + "\n" + USAGE);
      System.exit(2);
      return;
    }
    try (var simulator = Simulator.start(settings)) {
      System.out.println(simulator.baseUrl());
      new CountDownLatch(1).await();
    }
  }

  static SimulatorSettings settings(String... arguments) {
    var settings = SimulatorSettings.realistic().onPort(8089);
    for (var argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException("not an option: " + argument);
      }
      settings = with(settings, argument.substring(2, equals), argument.substring(equals + 1));
    }
    return settings;
  }

  private static SimulatorSettings with(SimulatorSettings settings, String name, String value) {
    var ledger = settings.ledger();
    return switch (name) {
      case "port" -> settings.onPort(Integer.parseInt(value));
      case "host" -> settings.onHost(value);
      case "latency" -> settings.with(Latency.parse(value));
      case "ledger-entries" ->
          settings.with(new LedgerSettings(Integer.parseInt(value), ledger.bodyBytes()));
      case "ledger-bytes" ->
          settings.with(new LedgerSettings(ledger.entries(), Long.parseLong(value)));
      default -> throw new IllegalArgumentException("no such option: --" + name);
    };
  }
}
