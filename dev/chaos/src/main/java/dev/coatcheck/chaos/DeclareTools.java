package dev.coatcheck.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The tools that the jobs of a run may ask for, one of each safety that a worker runs by itself.
 */
final class DeclareTools {
  /** What the transactional one writes to, in a schema that no migration knows. */
  static final String TABLE = "create schema chaos; create table chaos.effect (effect_key text)";

  /** The steps of a model that asks for each, and the members of a submit that offer them. */
  static final String STEPS = "tool keyed {}, tool noted {}, tool once {}, ok";

  static final String OFFER = ", \"tools\": [\"keyed\", \"noted\", \"once\"]";

  private DeclareTools() {}

  /**
   * @param tool where the fake one listens
   */
  static Path in(Path directory, URI tool) {
    var text =
        """
        {"tools": [
          {"name": "keyed", "safety": "keyed", "url": "TOOLkeyed/keyed", "timeout": "PT10S"},
          {"name": "once", "safety": "at-most-once", "url": "TOOLonce/once", "timeout": "PT10S"},
          {"name": "noted", "safety": "transactional",
           "sql": "insert into chaos.effect (effect_key) values (:effect_key)"}
        ]}
        """
            .replace("TOOL", tool.toString());
    try {
      return Files.writeString(directory.resolve("tools.json"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
