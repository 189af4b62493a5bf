package dev.coatcheck.worker.egress;

/** A configured secret. Its text leaves this type only by name. */
public final class Secret {
  public static final Secret NONE = new Secret("");

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /** Also how Spring makes one of a property. */
  public static Secret of(String value) {
    return new Secret(value.strip());
  }

  public boolean isPresent() {
    return !value.isEmpty();
  }

  /** The secret itself, for the one place that needs it. */
  public String reveal() {
    return value;
  }

  @Override
  public String toString() {
    return "Secret";
  }
}
