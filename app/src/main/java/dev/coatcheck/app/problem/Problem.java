package dev.coatcheck.app.problem;

import java.util.List;
import java.util.Optional;

/**
 * An error to be answered.
 *
 * @param status of the answer; the code's own unless a server chose another
 * @param detail for people, without values of the caller's
 * @param errors where in the request; for 400 only
 */
public record Problem(
    ProblemCode code, int status, String detail, List<FieldError> errors, Optional<Reuse> reuse) {
  /** Seconds; what a caller should wait who was refused for want of something that comes back. */
  public static final int RETRY_AFTER = 1;

  /**
   * One fault of the request.
   *
   * @param path dotted, with brackets for elements: {@code messages[0].role}; a header's or
   *     parameter's name
   */
  public record FieldError(String path, String message) {}

  /** The other request of an idempotency key. */
  public record Reuse(String jobId, Optional<List<String>> differs) {}

  public Problem {
    errors = List.copyOf(errors);
  }

  /** A problem that its code explains. */
  public static Problem of(ProblemCode code) {
    return of(code, code.explanation());
  }

  /** A problem with its own detail. */
  public static Problem of(ProblemCode code, String detail) {
    return new Problem(
        code,
        code.status(),
        detail,
        code.status() == 400 ? List.of(new FieldError("", detail)) : List.of(),
        Optional.empty());
  }

  /** A 400 for these faults, of which there is at least one. */
  public static Problem of(ProblemCode code, List<FieldError> errors) {
    FieldError first = errors.getFirst();
    String detail =
        first.path().isEmpty() ? first.message() : first.path() + ": " + first.message();
    return new Problem(code, code.status(), detail, errors, Optional.empty());
  }

  /** What a server answered by itself, in our words. */
  public static Problem ofStatus(int status) {
    ProblemCode code = ProblemCode.ofStatus(status);
    String detail =
        code == ProblemCode.INVALID_REQUEST
            ? "The request is not one that HTTP allows or that this server reads."
            : code.explanation();
    List<FieldError> errors = status == 400 ? List.of(new FieldError("", detail)) : List.of();
    return new Problem(code, status, detail, errors, Optional.empty());
  }

  /** The idempotency key stands for another request. */
  public static Problem reused(Reuse reuse) {
    ProblemCode code = ProblemCode.IDEMPOTENCY_KEY_REUSED;
    return new Problem(code, code.status(), code.explanation(), List.of(), Optional.of(reuse));
  }

  /** Whether the caller is told when to come again. */
  public boolean hasRetryAfter() {
    return code == ProblemCode.TOO_MANY_JOBS
        || code == ProblemCode.TOO_MANY_STREAMS
        || code == ProblemCode.UNAVAILABLE;
  }
}
