package dev.coatcheck.chaos;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One job that a caller wants done, drawn from the seed.
 *
 * @param key its idempotency key
 * @param marker in its prompt, and in no other
 * @param body of the submit
 * @param at when it is submitted, from the start
 * @param whim what its caller does besides
 * @param succeeds whether it is completed unless something is in its way
 */
record Errand(String key, String marker, String body, Duration at, Whim whim, boolean succeeds) {
  /** What a caller does besides submitting and polling. */
  enum Whim {
    NONE,
    /** Submits it three times at once. */
    THRICE,
    /** Submits something else under the same key. */
    OTHER_BODY,
    CANCEL
  }

  private static final List<String> PLANS =
      List.of(
          "500, ok",
          "429 retry-after=1, ok",
          "429 retry-after=4, ok",
          "429 retry-after=4, ok",
          "reset, ok",
          "reset-body, ok",
          "cut, ok",
          "close, ok",
          "503, ok delay=1s",
          "hang, ok",
          "400");
  private static final int PLAIN = 14;
  private static final int WITH_TOOLS_EACH = 4;
  private static final int OTHERS_EACH = 5;
  private static final int WITH_HOOK_EACH = 3;

  /** Where the endpoint's address goes in a body. */
  private static final String HOOK = "HOOK-URL";

  private static final int SHORTEST_MS = 200;
  private static final int LONGEST_MS = 6_000;

  /** Whose a key is. */
  static String tenantOf(String key) {
    return key.startsWith(Launcher.OTHER_TENANT + "-") ? Launcher.OTHER_TENANT : "default";
  }

  static Errand draw(long seed, int number, Duration at) {
    var random = new SplittableRandom(seed * 1_000_003 + number);
    int plan = random.nextInt(PLANS.size() + PLAIN);
    var steps =
        plan < PLANS.size()
            ? PLANS.get(plan)
            : "ok delay=%dms".formatted(random.nextInt(SHORTEST_MS, LONGEST_MS));
    boolean hasTools = number % WITH_TOOLS_EACH == 1;
    if (hasTools) {
      steps = DeclareTools.STEPS;
    }
    var marker = "Coat %d of run %d.".formatted(number, seed);
    var tenant = number % OTHERS_EACH == OTHERS_EACH - 1 ? Launcher.OTHER_TENANT : "default";
    var body =
        """
        {"prompt": "%s %s [[sim: %s]]", "metadata": {"errand": "%d"},
         "budget": {"deadline": "PT4M", "max_attempts": 12, "attempt_timeout": "%s"}%s%s}
        """
            .formatted(
                marker,
                Canary.of(tenant),
                steps,
                number,
                steps.startsWith("hang") ? "PT3S" : "PT30S",
                hasTools ? DeclareTools.OFFER : "",
                number % WITH_HOOK_EACH == 0 ? ", \"webhook\": {\"url\": \"" + HOOK + "\"}" : "");
    return new Errand(
        "%s-%d-%d".formatted(tenant.equals("default") ? "chaos" : tenant, seed, number),
        marker,
        body,
        at,
        whim(random),
        !steps.equals("400"));
  }

  /** With the endpoint's address where it belongs. */
  Errand told(String hook) {
    return new Errand(key, marker, body.replace(HOOK, hook), at, whim, succeeds);
  }

  private static Whim whim(SplittableRandom random) {
    return switch (random.nextInt(20)) {
      case 0, 1 -> Whim.THRICE;
      case 2 -> Whim.OTHER_BODY;
      case 3 -> Whim.CANCEL;
      default -> Whim.NONE;
    };
  }
}
