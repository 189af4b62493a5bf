package dev.coatcheck.app.api;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.EraseJob;
import dev.coatcheck.db.job.JobId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Erases a job's content. */
@RestController
public final class EraseController {
  private final EraseJob jobs;

  public EraseController(EraseJob jobs) {
    this.jobs = jobs;
  }

  @DeleteMapping("/v1/jobs/{id}")
  void erase(@PathVariable String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    EraseJob.Erased erased =
        JobId.parse(id)
            .map(known -> jobs.erase(Caller.of(request), known))
            .orElse(EraseJob.Erased.UNKNOWN);
    switch (erased) {
      case YES -> response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      case NOT_ENDED ->
          WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_ENDED), request, response);
      case UNKNOWN -> WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
    }
  }
}
