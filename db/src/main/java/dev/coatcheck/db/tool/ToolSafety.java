package dev.coatcheck.db.tool;

import java.util.Locale;
import java.util.Optional;

/** What a tool promises about being run twice. Declared, never guessed. */
public enum ToolSafety {
  /** It changes nothing: it may run any number of times. */
  READ_ONLY,
  /** SQL in this database: effect and record are one transaction. */
  TRANSACTIONAL,
  /** It has one effect per effect key, however often it is asked. */
  KEYED,
  /** Nobody knows: it is sent once, and an unknown outcome is a person's to resolve. */
  AT_MOST_ONCE,
  /** The caller runs it. */
  CLIENT;

  /** The name in the tools file, in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Empty for a name that is none of ours. */
  public static Optional<ToolSafety> of(String text) {
    for (ToolSafety safety : values()) {
      if (safety.text().equals(text)) {
        return Optional.of(safety);
      }
    }
    return Optional.empty();
  }
}
