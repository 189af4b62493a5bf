package dev.coatcheck.simulator;

import java.time.Duration;

/** What the simulator does with a request. */
public sealed interface Answer
    permits Whole,
        Answer.Delayed,
        Answer.Nothing,
        Answer.Partial,
        Answer.Parted,
        Answer.Raw,
        Answer.Trickle,
        Answer.Streamed,
        Answer.Endless,
        Answer.GzipBomb {

  /** Waits before the first byte; ends early when the caller leaves. */
  record Delayed(Duration delay, Answer then) implements Answer {}

  /** Accepts the request and sends not a byte. */
  record Nothing(Parting parting) implements Answer {}

  /** Sends the head of an answer and the first bytes of its body, none for zero. */
  record Partial(Whole of, int bodyBytes, Parting parting) implements Answer {
    public Partial {
      if (bodyBytes < 0) {
        throw new IllegalArgumentException("negative body: " + bodyBytes);
      }
    }
  }

  /**
   * A whole answer that promises to keep the connection, which is then parted with all the same.
   */
  record Parted(Whole after, Parting parting) implements Answer {}

  /** These very bytes, whatever they are. */
  record Raw(Body bytes, Parting parting) implements Answer {}

  /** The head at once, then a byte of the body at a time. */
  record Trickle(Whole of, Duration every) implements Answer {}

  /** An event at a time to a caller that asks for a stream; to others whole. */
  record Streamed(Completion of, Streaming how) implements Answer {}

  /** The body over and over again, in chunks, until the caller leaves. */
  record Endless(Reply of) implements Answer {
    public Endless {
      if (of.body().length() == 0) {
        throw new IllegalArgumentException("nothing to repeat");
      }
    }
  }

  /** A completion that is small on the wire and this large once it is unpacked. */
  record GzipBomb(long inflatedBytes) implements Answer {}

  /** Accepts the request and never answers. */
  static Answer hang() {
    return new Nothing(Parting.SILENCE);
  }

  /** Closes without an answer. */
  static Answer hangUp() {
    return new Nothing(Parting.CLOSE);
  }

  /** Resets without an answer. */
  static Answer reset() {
    return new Nothing(Parting.RESET);
  }

  /** The head and so many bytes of the body, then a reset. */
  static Answer reset(Whole of, int bodyBytes) {
    return new Partial(of, bodyBytes, Parting.RESET);
  }

  /** The head and so many bytes of the body, then silence. */
  static Answer stall(Whole of, int bodyBytes) {
    return new Partial(of, bodyBytes, Parting.SILENCE);
  }

  /** The head and so many bytes of the body, then an orderly close: fewer than were announced. */
  static Answer cut(Whole of, int bodyBytes) {
    return new Partial(of, bodyBytes, Parting.CLOSE);
  }

  /** A whole answer on a connection that looks reusable and is closed. */
  static Answer closedAfter(Whole whole) {
    return new Parted(whole, Parting.CLOSE);
  }

  /** The same after a wait. */
  default Answer after(Duration delay) {
    return new Delayed(delay, this);
  }
}
