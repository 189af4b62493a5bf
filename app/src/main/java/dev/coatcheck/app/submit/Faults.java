package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a request. */
final class Faults {
  /** Named at most. */
  static final int MAX = 20;

  private final List<Problem.FieldError> errors = new ArrayList<>();
  private boolean lasting;

  /** A fault under whatever configuration. */
  void add(String path, String message) {
    lasting = true;
    note(path, message);
  }

  /** A fault as things are configured now. */
  void addForNow(String path, String message) {
    note(path, message);
  }

  private void note(String path, String message) {
    if (errors.size() < MAX) {
      errors.add(new Problem.FieldError(path, message));
    }
  }

  boolean isEmpty() {
    return errors.isEmpty();
  }

  /** Whether no configuration could have taken the request. */
  boolean areLasting() {
    return lasting;
  }

  List<Problem.FieldError> errors() {
    return List.copyOf(errors);
  }
}
