package dev.coatcheck.chaos;

import java.time.Duration;
import java.util.Set;

/** What a {@link FaultProxy} does to its connections. */
sealed interface Weather {
  /** Which way bytes go. */
  enum Way {
    TO_SERVER,
    TO_CLIENT
  }

  /** Everything passes. */
  record Fair() implements Weather {}

  /** Connections are reset, and new ones at once too. */
  record Cut() implements Weather {}

  /** Connections are reset, and nobody listens. */
  record Refused() implements Weather {}

  /**
   * Connections stay and new ones are made, but these ways carry nothing; what was sent meanwhile
   * arrives when the weather clears, as after a partition of a network.
   */
  record Silent(Set<Way> ways) implements Weather {
    public Silent {
      ways = Set.copyOf(ways);
    }

    static Silent bothWays() {
      return new Silent(Set.of(Way.TO_SERVER, Way.TO_CLIENT));
    }
  }

  /**
   * Everything passes, late.
   *
   * @param delay of each piece
   * @param bytesPerSecond of each connection and way
   */
  record Slow(Duration delay, int bytesPerSecond) implements Weather {
    public Slow {
      if (delay.isNegative() || bytesPerSecond < 1) {
        throw new IllegalArgumentException("not a speed");
      }
    }

    Duration timeOf(int bytes) {
      return delay.plusMillis(1000L * bytes / bytesPerSecond);
    }
  }
}
