package dev.coatcheck.app.problem;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outermost of our code in Tomcat: it gives each request its id, also one that Tomcat refuses
 * before any filter sees it, and says Tomcat's own errors as problems.
 */
public final class ProblemValve extends ErrorReportValve {
  private static final Logger log = LoggerFactory.getLogger(ProblemValve.class);

  private final RequestId requestId;

  public ProblemValve(RequestId requestId) {
    this.requestId = requestId;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    requestId.assign(request, response);
    response.setHeader("X-Content-Type-Options", "nosniff");
    super.invoke(request, response);
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    if (status == Response.SC_INTERNAL_SERVER_ERROR) {
      log.error(
          "a request failed: request_id={} {}",
          RequestId.of(request),
          failure == null ? "" : Trace.of(failure));
    }
    try {
      WriteProblem.write(Problem.ofStatus(status), request, response);
      response.finishResponse();
    } catch (IOException e) {
      log.debug("the caller of a failed request is gone");
    }
  }
}
