package dev.coatcheck.simulator;

/** Counts tokens as plausibly as one can without a vocabulary: four characters each. */
final class Tokens {
  private static final int CHARACTERS = 4;

  private Tokens() {}

  static int in(CharSequence text) {
    return Math.ceilDiv(text.length(), CHARACTERS);
  }

  /** The first tokens of a text, never half of a character. */
  static String first(int tokens, String text) {
    long wanted = (long) tokens * CHARACTERS;
    if (wanted >= text.length()) {
      return text;
    }
    int end = (int) wanted;
    boolean splits = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, splits ? end - 1 : end);
  }
}
