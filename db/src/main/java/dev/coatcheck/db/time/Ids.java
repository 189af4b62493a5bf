package dev.coatcheck.db.time;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes UUIDs of version 7 (RFC 9562 section 5.7): 48 bits of milliseconds, then random bits. */
public final class Ids {
  private static final long VERSION_7 = 0x7000L;
  private static final long VARIANT = 0x8000000000000000L;

  private final InstantSource clock;
  private final RandomGenerator random;

  public Ids(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Ids by this machine's clock, their random part not to be guessed. */
  public static Ids system() {
    return new Ids(InstantSource.system(), new SecureRandom());
  }

  /** A new id. Ids made in different milliseconds sort by time. */
  public UUID next() {
    long high = (clock.millis() << 16) | VERSION_7 | (random.nextLong() & 0x0fffL);
    long low = (random.nextLong() >>> 2) | VARIANT;
    return new UUID(high, low);
  }
}
