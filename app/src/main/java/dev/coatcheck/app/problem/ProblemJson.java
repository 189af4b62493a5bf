package dev.coatcheck.app.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.coatcheck.app.json.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A problem as RFC 9457 has it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProblemJson(
    String type,
    String title,
    int status,
    String detail,
    String code,
    String requestId,
    @Nullable List<Problem.FieldError> errors,
    @Nullable String jobId,
    @Nullable List<String> differs) {

  static byte[] write(Problem problem, String requestId) {
    ProblemCode code = problem.code();
    return JsonText.write(
        new ProblemJson(
            "/problems/" + code.slug(),
            code.title(),
            problem.status(),
            problem.detail(),
            code.text(),
            requestId,
            problem.errors().isEmpty() ? null : problem.errors(),
            problem.reuse().map(Problem.Reuse::jobId).orElse(null),
            problem.reuse().flatMap(Problem.Reuse::differs).orElse(null)));
  }
}
