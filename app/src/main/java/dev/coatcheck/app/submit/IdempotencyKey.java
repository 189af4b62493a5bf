package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** The {@code Idempotency-Key} header: bare, or a quoted string of RFC 8941. */
sealed interface IdempotencyKey {
  /** The key, without quotes. */
  record Given(String value) implements IdempotencyKey {}

  /** Missing or not valid. */
  record Wrong(ProblemCode code) implements IdempotencyKey {
    Problem problem() {
      return Problem.of(code, List.of(new Problem.FieldError(HEADER, code.explanation())));
    }
  }

  String HEADER = "Idempotency-Key";

  /** Visible ASCII. */
  Pattern ALLOWED = Pattern.compile("[\\x21-\\x7e]{1,255}");

  /** In quotes a backslash stands before a quote or a backslash. */
  Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\[\"\\\\])*)\"");

  static IdempotencyKey of(HttpServletRequest request) {
    List<String> headers = Collections.list(request.getHeaders(HEADER));
    if (headers.isEmpty()) {
      return new Wrong(ProblemCode.IDEMPOTENCY_KEY_MISSING);
    }
    String value = headers.getFirst().strip();
    if (value.startsWith("\"")) {
      var quoted = QUOTED.matcher(value);
      value = quoted.matches() ? quoted.group(1).replaceAll("\\\\(.)", "$1") : "";
    }
    return headers.size() == 1 && ALLOWED.matcher(value).matches()
        ? new Given(value)
        : new Wrong(ProblemCode.IDEMPOTENCY_KEY_INVALID);
  }
}
