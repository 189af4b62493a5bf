package dev.coatcheck.worker.run;

import dev.coatcheck.worker.provider.WriteJson;

/** The data of the events that carry what a model says, and of those that take it back. */
final class SayDelta {
  private SayDelta() {}

  static String of(int turn, int attempt, String text) {
    return new WriteJson()
        .raw("{\"turn\":" + turn + ",\"attempt\":" + attempt + ",\"text\":")
        .string(text)
        .raw("}")
        .end()
        .text();
  }

  /**
   * @param from the number of the first event that is void
   */
  static String restarted(int turn, int attempt, int from) {
    return "{\"turn\":" + turn + ",\"attempt\":" + attempt + ",\"discard_from\":" + from + "}";
  }
}
