package dev.coatcheck.app.json;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times in UTC, always with milliseconds, so that they sort as text. */
public final class Rfc3339 {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Rfc3339() {}

  public static String of(Instant instant) {
    return FORMAT.format(instant);
  }

  public static @Nullable String of(Optional<Instant> instant) {
    return instant.map(Rfc3339::of).orElse(null);
  }
}
