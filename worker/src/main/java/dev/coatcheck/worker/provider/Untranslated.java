package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.provider.Dialect.Draft.Untranslatable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first thing of a request that its provider has no words for. */
final class Untranslated {
  private @Nullable Untranslatable first;

  /**
   * @param why a clause that goes on from the path
   */
  void add(String path, String why) {
    if (first == null) {
      first = new Untranslatable(path, why);
    }
  }

  Optional<Untranslatable> first() {
    return Optional.ofNullable(first);
  }
}
