package dev.coatcheck.app.problem;

import dev.coatcheck.db.intake.DatabaseAway;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.coyote.BadRequestException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/** Says what was thrown on the way through Spring as a problem. */
@RestControllerAdvice
public final class ProblemAdvice {
  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

  @ExceptionHandler
  void onDatabaseAway(DatabaseAway away, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    log.atDebug().addKeyValue("request_id", RequestId.of(request)).log("the database is away");
    WriteProblem.write(Problem.of(ProblemCode.UNAVAILABLE), request, response);
  }

  /**
   * The caller is gone, stalls, or sends what is no HTTP. If an answer can still be given, Tomcat
   * has chosen its status, and its valve gives it.
   */
  @ExceptionHandler({BadRequestException.class, AsyncRequestNotUsableException.class})
  void onBrokenOff(HttpServletRequest request) {
    log.atDebug().addKeyValue("request_id", RequestId.of(request)).log("the caller broke off");
  }

  @ExceptionHandler
  void onAnything(Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (failure instanceof ErrorResponse known) {
      String allow = known.getHeaders().getFirst(HttpHeaders.ALLOW);
      if (allow != null) {
        response.setHeader(HttpHeaders.ALLOW, allow);
      }
      WriteProblem.write(Problem.ofStatus(known.getStatusCode().value()), request, response);
      return;
    }
    log.error("a request failed: request_id={} {}", RequestId.of(request), Trace.of(failure));
    WriteProblem.write(Problem.of(ProblemCode.INTERNAL_ERROR), request, response);
  }
}
