package dev.coatcheck.postgres;

import java.nio.file.Path;
import java.util.Optional;

/** Where the unpacked programs are kept: with the user's caches, else with the data. */
final class BinaryCache {
  private BinaryCache() {}

  static Path find(Path directory, OrdinaryUser user) {
    return userCache().filter(user::mayUse).orElseGet(() -> directory.resolve("binaries"));
  }

  private static Optional<Path> userCache() {
    var cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).filter(c -> !c.isBlank());
    var home = Optional.of(System.getProperty("user.home")).filter(h -> h.startsWith("/"));
    return cache
        .map(Path::of)
        .or(() -> home.map(h -> Path.of(h, ".cache")))
        .filter(Path::isAbsolute)
        .map(c -> c.resolve("coatcheck"));
  }
}
