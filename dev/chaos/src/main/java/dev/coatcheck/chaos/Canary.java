package dev.coatcheck.chaos;

/** Words that must stay where they belong, and are looked for everywhere else. */
final class Canary {
  /** The provider's API key. */
  static final String SECRET = "sk-canary-that-must-not-sing";

  private static final String OF_A_TENANT = "canary-of-";

  private Canary() {}

  /** In every prompt of a tenant's, and therefore in its answers. */
  static String of(String tenant) {
    return OF_A_TENANT + tenant + "-tenant";
  }
}
