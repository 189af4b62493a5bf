package dev.coatcheck.db.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where two JSON values differ: dotted paths, no values. */
public final class JsonDifference {
  /** Paths named at most; who needs more has another body altogether. */
  public static final int MAX_PATHS = 50;

  /** Longer paths are cut: a name in one may have 256 characters, and 64 may be nested. */
  static final int MAX_PATH = 512;

  private final List<String> paths = new ArrayList<>();

  private JsonDifference() {}

  /** The paths of members and elements that only one side has, or that are not equal. */
  public static List<String> between(RawJson left, RawJson right) {
    var difference = new JsonDifference();
    difference.compare("", left, right);
    return List.copyOf(difference.paths);
  }

  private void compare(String path, @Nullable RawJson left, @Nullable RawJson right) {
    if (paths.size() >= MAX_PATHS) {
      return;
    }
    if (left == null || right == null) {
      add(path);
      return;
    }
    if (Arrays.equals(CanonicalJson.of(left), CanonicalJson.of(right))) {
      return;
    }
    if (left.kind() == RawJson.Kind.OBJECT && right.kind() == RawJson.Kind.OBJECT) {
      compareMembers(path, byName(left), byName(right));
    } else if (left.kind() == RawJson.Kind.ARRAY && right.kind() == RawJson.Kind.ARRAY) {
      compareElements(path, left.elements(), right.elements());
    } else {
      add(path);
    }
  }

  private void compareMembers(String path, Map<String, RawJson> left, Map<String, RawJson> right) {
    var names = new TreeSet<>(left.keySet());
    names.addAll(right.keySet());
    for (String name : names) {
      compare(path.isEmpty() ? name : path + "." + name, left.get(name), right.get(name));
    }
  }

  private void compareElements(String path, List<RawJson> left, List<RawJson> right) {
    for (int i = 0; i < Math.max(left.size(), right.size()) && paths.size() < MAX_PATHS; i++) {
      compare(
          path + "[" + i + "]",
          i < left.size() ? left.get(i) : null,
          i < right.size() ? right.get(i) : null);
    }
  }

  private void add(String path) {
    paths.add(path.length() <= MAX_PATH ? path : path.substring(0, MAX_PATH));
  }

  private static Map<String, RawJson> byName(RawJson object) {
    var members = new LinkedHashMap<String, RawJson>();
    object.members().forEach(member -> members.put(member.name(), member.value()));
    return members;
  }
}
