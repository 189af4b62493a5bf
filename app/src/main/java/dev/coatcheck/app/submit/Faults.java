package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a request. */
final class Faults {
  /** Named at most. */
  static final int MAX = 20;

  private final List<Problem.FieldError> errors = new ArrayList<>();

  void add(String path, String message) {
    if (errors.size() < MAX) {
      errors.add(new Problem.FieldError(path, message));
    }
  }

  boolean isEmpty() {
    return errors.isEmpty();
  }

  List<Problem.FieldError> errors() {
    return List.copyOf(errors);
  }
}
