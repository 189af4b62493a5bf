package dev.coatcheck.app.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers a request with a problem. */
public final class WriteProblem {
  private static final String MEDIA_TYPE = "application/problem+json";

  private WriteProblem() {}

  /** Writes the whole response, unless one is on its way already. */
  public static void write(
      Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    byte[] body = ProblemJson.write(problem, RequestId.of(request));
    response.resetBuffer();
    response.setStatus(problem.status());
    response.setContentType(MEDIA_TYPE);
    response.setHeader("Cache-Control", "no-store");
    if (problem.code() == ProblemCode.UNAUTHORIZED) {
      response.setHeader("WWW-Authenticate", "Bearer");
    }
    if (problem.hasRetryAfter()) {
      response.setHeader("Retry-After", Integer.toString(Problem.RETRY_AFTER));
    }
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer();
  }
}
