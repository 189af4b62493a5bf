package dev.coatcheck.db.job;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** A job's id: a UUIDv7, so that ids sort by the time of their submit. */
public record JobId(UUID value) {
  private static final Pattern TEXT =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /**
   * Reads the canonical lower-case form; empty for anything else, so that an id has one spelling.
   */
  public static Optional<JobId> parse(String text) {
    return TEXT.matcher(text).matches()
        ? Optional.of(new JobId(UUID.fromString(text)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
