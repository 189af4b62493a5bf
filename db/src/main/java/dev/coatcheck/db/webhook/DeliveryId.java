package dev.coatcheck.db.webhook;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The id of a delivery: one event on its way to one webhook. */
public record DeliveryId(UUID value) {
  private static final Pattern TEXT =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** Reads the canonical lower-case form; empty for anything else. */
  public static Optional<DeliveryId> parse(String text) {
    return TEXT.matcher(text).matches()
        ? Optional.of(new DeliveryId(UUID.fromString(text)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
