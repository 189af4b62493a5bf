package dev.coatcheck.simulator;

import java.util.List;

/**
 * A turn as the events of a stream, each with the blank line that ends it.
 *
 * @param answer the events up to the answer's end
 * @param end those that end it
 * @param error one that breaks it off
 * @param ping a sign of life
 */
record TurnEvents(List<String> answer, List<String> end, String error, String ping) {
  private static final int PIECE = 4;

  /** A text in pieces of about a token, never half a character. */
  static List<String> pieces(String text) {
    var pieces = new java.util.ArrayList<String>();
    int from = 0;
    while (from < text.length()) {
      int to = Math.min(from + PIECE, text.length());
      if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
        to++;
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }
}
