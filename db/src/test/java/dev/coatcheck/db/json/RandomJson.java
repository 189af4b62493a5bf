package dev.coatcheck.db.json;

import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lawful JSON of any shape, white space and escapes included. */
final class RandomJson {
  private static final String[] SPACES = {"", " ", "\n", "\t ", ""};
  private static final String[] SCALARS = {
    "true", "false", "null", "0", "-1", "1.5e3", "1E-2", "123456789"
  };
  private static final String[] PIECES = {
    "a", "é", "\ud83d\ude00", "\\n", "\\\"", "\\\\", "\\u0000", "\\ud800", "{", "]", ",", ":"
  };

  private RandomJson() {}

  static String value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth == 0 ? 2 : 4)) {
      case 0 -> SCALARS[random.nextInt(SCALARS.length)];
      case 1 -> string(random, "");
      case 2 -> "[" + list(random, "", depth) + space(random) + "]";
      default -> "{" + list(random, "k", depth) + space(random) + "}";
    };
  }

  private static String list(RandomGenerator random, String namePrefix, int depth) {
    return IntStream.range(0, random.nextInt(4))
        .mapToObj(i -> member(random, namePrefix.isEmpty() ? "" : namePrefix + i, depth))
        .collect(Collectors.joining(space(random) + ","));
  }

  private static String member(RandomGenerator random, String name, int depth) {
    String before = name.isEmpty() ? "" : string(random, name) + space(random) + ":";
    return space(random) + before + space(random) + value(random, depth - 1);
  }

  private static String string(RandomGenerator random, String prefix) {
    return IntStream.range(0, random.nextInt(5))
        .mapToObj(i -> PIECES[random.nextInt(PIECES.length)])
        .collect(Collectors.joining("", "\"" + prefix, "\""));
  }

  private static String space(RandomGenerator random) {
    return SPACES[random.nextInt(SPACES.length)];
  }
}
