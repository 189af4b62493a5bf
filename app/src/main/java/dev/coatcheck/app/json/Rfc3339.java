package dev.coatcheck.app.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as text. Ours are in UTC, always with milliseconds, so that they sort as text. */
public final class Rfc3339 {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Java's own parser takes years of nine digits and a sign, which no database has. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?i)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})");

  private Rfc3339() {}

  /** The time that a text says; empty if it says none. */
  public static Optional<Instant> parse(String text) {
    try {
      return FORM.matcher(text).matches()
          ? Optional.of(OffsetDateTime.parse(text).toInstant())
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  public static String of(Instant instant) {
    return FORMAT.format(instant);
  }

  public static @Nullable String of(Optional<Instant> instant) {
    return instant.map(Rfc3339::of).orElse(null);
  }
}
