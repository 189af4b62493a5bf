package dev.coatcheck.simulator;

import java.time.Duration;

/**
 * How a turn is streamed to a caller that asks for a stream.
 *
 * @param every the pause before each event
 * @param flaw what goes wrong after {@code after} events
 * @param pings whether each event is preceded by a sign of life that says nothing
 * @param usage whether the tokens are told at the end
 */
public record Streaming(Duration every, Flaw flaw, int after, Extra pings, Extra usage) {
  /** A stream that goes on without a flaw and without a pause. */
  public static final Streaming PLAIN =
      new Streaming(Duration.ZERO, Flaw.NONE, 0, Extra.WITHOUT, Extra.WITH);

  /** What goes wrong. */
  public enum Flaw {
    NONE,
    /** An orderly close, without a word. */
    CUT,
    RESET,
    STALL,
    /** An event that says the provider is overloaded, then the end. */
    ERROR,
    /** Everything but the events that end the answer, then an orderly end. */
    NO_END
  }

  /** Whether something is there. */
  public enum Extra {
    WITH,
    WITHOUT
  }

  /** The same, an event at a time. */
  public Streaming paced(Duration pause) {
    return new Streaming(pause, flaw, after, pings, usage);
  }

  /** The same, with a flaw after so many events. */
  public Streaming broken(Flaw how, int events) {
    return new Streaming(every, how, events, pings, usage);
  }

  public Streaming withPings() {
    return new Streaming(every, flaw, after, Extra.WITH, usage);
  }

  public Streaming withoutUsage() {
    return new Streaming(every, flaw, after, pings, Extra.WITHOUT);
  }
}
