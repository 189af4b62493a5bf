package dev.coatcheck.simulator;

import java.time.Duration;

/**
 * How a simulator is set up.
 *
 * @param host the address to listen on; loopback unless somebody else must reach it
 * @param port zero takes a free one
 * @param latency before answers that no script gave; a script's answers come at once
 */
public record SimulatorSettings(String host, int port, Latency latency, LedgerSettings ledger) {
  public SimulatorSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
  }

  /** For tests: a free port, no latency. */
  public static SimulatorSettings quick() {
    return new SimulatorSettings("127.0.0.1", 0, Latency.NONE, LedgerSettings.DEFAULT);
  }

  /** For people: a moment of thought before each answer. */
  public static SimulatorSettings realistic() {
    return quick().with(new Latency(Duration.ofMillis(400), Duration.ofMillis(1500)));
  }

  public SimulatorSettings onHost(String other) {
    return new SimulatorSettings(other, port, latency, ledger);
  }

  public SimulatorSettings onPort(int other) {
    return new SimulatorSettings(host, other, latency, ledger);
  }

  public SimulatorSettings with(Latency other) {
    return new SimulatorSettings(host, port, other, ledger);
  }

  public SimulatorSettings with(LedgerSettings other) {
    return new SimulatorSettings(host, port, latency, other);
  }
}
