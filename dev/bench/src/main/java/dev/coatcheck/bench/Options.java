package dev.coatcheck.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the command was told.
 *
 * @param runs of each scenario
 * @param looking whether it is to find out what the time is spent on
 * @param scenarios by name, in the order they run
 */
record Options(int runs, Looking looking, Map<String, Supplier<Scenario>> scenarios) {
  enum Looking {
    NONE,
    PROFILE
  }

  private static final int MOST_RUNS = 100;
  private static final String RUNS = "--runs=";

  Options {
    scenarios = Collections.unmodifiableMap(new LinkedHashMap<>(scenarios));
    if (runs < 1 || runs > MOST_RUNS) {
      throw new IllegalArgumentException("--runs must be 1 to " + MOST_RUNS);
    }
  }

  static Options parse(String... arguments) {
    int runs = 3;
    var looking = Looking.NONE;
    var all = Scenarios.all();
    var chosen = new LinkedHashMap<String, Supplier<Scenario>>();
    for (var argument : arguments) {
      var scenario = all.get(argument);
      if (argument.startsWith(RUNS)) {
        runs = Integer.parseInt(argument.substring(RUNS.length()));
      } else if (argument.equals("--profile")) {
        looking = Looking.PROFILE;
      } else if (scenario != null) {
        chosen.put(argument, scenario);
      } else {
        throw new IllegalArgumentException(
            "no scenario %s; there are: %s".formatted(argument, String.join(" ", all.keySet())));
      }
    }
    return new Options(runs, looking, chosen.isEmpty() ? all : chosen);
  }
}
