package dev.coatcheck.worker.egress;

/**
 * Takes the body of a response as it comes, on the thread that made the exchange. What it takes is
 * not kept by the door, and counts towards the largest body accepted all the same.
 */
public interface BodySink {
  /** What is wanted of the body that is still to come. */
  enum Wants {
    MORE,
    /** What came is enough; a little more may follow, and is not waited for as long. */
    REST,
    /** Nothing more; the body's end is waited for only so that the connection may be used again. */
    NOTHING
  }

  /** Whether to take this body; otherwise it is kept and handed over whole. */
  boolean opens(int status, Headers headers);

  /** Takes the next bytes, which are overwritten afterwards. */
  Wants take(byte[] bytes, int length);

  /** Takes no body. */
  static BodySink none() {
    return NoSink.NONE;
  }
}
