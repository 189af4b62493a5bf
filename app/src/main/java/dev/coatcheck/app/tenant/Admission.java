package dev.coatcheck.app.tenant;

/** Who is let in. Decided once, at start. */
public sealed interface Admission {
  /** Whoever has a key. */
  record ByKey(FindTenant tenants) implements Admission {}

  /**
   * Everybody on this machine but the web pages of others, as the tenant {@code default}: a
   * standalone process without keys.
   */
  record Open() implements Admission {}
}
