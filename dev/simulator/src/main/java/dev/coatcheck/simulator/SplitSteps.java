package dev.coatcheck.simulator;

import java.util.ArrayList;
import java.util.List;

/** Splits a directive at its commas, not at those of a tool's arguments. */
final class SplitSteps {
  private SplitSteps() {}

  static List<String> of(String text) {
    List<String> steps = new ArrayList<>();
    int from = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case ',' -> {
          if (depth == 0) {
            steps.add(text.substring(from, i).strip());
            from = i + 1;
          }
        }
        default -> {}
      }
    }
    steps.add(text.substring(from).strip());
    return steps;
  }
}
