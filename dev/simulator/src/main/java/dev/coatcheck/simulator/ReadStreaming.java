package dev.coatcheck.simulator;

import dev.coatcheck.simulator.Streaming.Flaw;
import java.util.Map;
import java.util.Optional;

/** Reads from a step's options how its answer is streamed. Takes out what it understands. */
final class ReadStreaming {
  private static final Map<String, Flaw> FLAWS =
      Map.of(
          "cut-after", Flaw.CUT,
          "reset-after", Flaw.RESET,
          "stall-after", Flaw.STALL,
          "error-after", Flaw.ERROR);

  private final Map<String, String> options;
  private final Answer answer;
  private Streaming streaming = Streaming.PLAIN;

  ReadStreaming(Map<String, String> options, Answer answer) {
    this.options = options;
    this.answer = answer;
  }

  /** Empty if the options say nothing of it. */
  Optional<Streaming> streaming() {
    FLAWS.forEach(
        (name, flaw) ->
            take(name).ifPresent(count -> streaming = streaming.broken(flaw, count(count))));
    take("end").ifPresent(no -> streaming = streaming.broken(Flaw.NO_END, 0));
    take("pings").ifPresent(yes -> streaming = streaming.withPings());
    take("usage").ifPresent(no -> streaming = streaming.withoutUsage());
    return streaming.equals(Streaming.PLAIN) ? Optional.empty() : Optional.of(streaming);
  }

  private Optional<String> take(String name) {
    String value = options.remove(name);
    if (value != null && !(answer instanceof Completion)) {
      throw new IllegalArgumentException(name + " goes with an answer that is streamed");
    }
    return Optional.ofNullable(value);
  }

  private static int count(String count) {
    int events = Integer.parseInt(count);
    if (events < 0) {
      throw new IllegalArgumentException("a number of events is not negative");
    }
    return events;
  }
}
