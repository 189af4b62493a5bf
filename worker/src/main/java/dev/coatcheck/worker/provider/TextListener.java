package dev.coatcheck.worker.provider;

/**
 * Is told the text of a streamed answer as it comes, on the thread that reads: it must not block. A
 * character beyond U+FFFF may come in two halves.
 */
@FunctionalInterface
public interface TextListener {
  void text(String more);

  /** For an answer whose text nobody reads before its end. */
  static TextListener nobody() {
    return more -> {};
  }
}
