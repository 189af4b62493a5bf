package dev.coatcheck.db.tenant;

import java.util.Optional;
import java.util.regex.Pattern;

/** A tenant's name: 1 to 64 characters of {@code [A-Za-z0-9._-]}. */
public record TenantId(String value) {
  private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** The tenant of a standalone process without configured keys. */
  public static final TenantId DEFAULT = new TenantId("default");

  /**
   * @throws IllegalArgumentException unless the name has that form
   */
  public TenantId {
    if (!TEXT.matcher(value).matches()) {
      throw new IllegalArgumentException("a tenant's name is 1 to 64 characters of [A-Za-z0-9._-]");
    }
  }

  /** Reads a tenant's name; empty for anything else. */
  public static Optional<TenantId> parse(String text) {
    return TEXT.matcher(text).matches() ? Optional.of(new TenantId(text)) : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}
