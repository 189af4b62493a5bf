package dev.coatcheck.db.tool;

/** A header's value for a tool: mostly a credential. Its text leaves this type only by name. */
public final class HeaderValue {
  private final String value;

  HeaderValue(String value) {
    this.value = value;
  }

  /** The value itself, for the one place that sends it. */
  public String reveal() {
    return value;
  }

  @Override
  public String toString() {
    return "HeaderValue";
  }
}
