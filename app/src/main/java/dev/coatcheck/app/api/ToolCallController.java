package dev.coatcheck.app.api;

import dev.coatcheck.app.decide.ReadDecision;
import dev.coatcheck.app.json.JsonText;
import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.DecideCall;
import dev.coatcheck.db.intake.Decided;
import dev.coatcheck.db.intake.Decision;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tool.ToolCallId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The routes by which people and callers decide about tool calls. Each answers with the job. */
@RestController
public final class ToolCallController {
  private static final String JSON = "application/json";

  private final DecideCall decide;
  private final AwaitJob jobs;

  public ToolCallController(DecideCall decide, AwaitJob jobs) {
    this.decide = decide;
    this.jobs = jobs;
  }

  @PostMapping(path = "/v1/jobs/{id}/tool_calls/{call}/approve", produces = JSON)
  void approve(
      @PathVariable String id,
      @PathVariable String call,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    answer(new Target(id, call), ReadDecision.of(request, ReadDecision.Action.APPROVE))
        .to(request, response);
  }

  @PostMapping(path = "/v1/jobs/{id}/tool_calls/{call}/deny", produces = JSON)
  void deny(
      @PathVariable String id,
      @PathVariable String call,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    answer(new Target(id, call), ReadDecision.of(request, ReadDecision.Action.DENY))
        .to(request, response);
  }

  @PostMapping(path = "/v1/jobs/{id}/tool_calls/{call}/output", produces = JSON)
  void output(
      @PathVariable String id,
      @PathVariable String call,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    answer(new Target(id, call), ReadDecision.of(request, ReadDecision.Action.OUTPUT))
        .to(request, response);
  }

  @PostMapping(path = "/v1/jobs/{id}/tool_calls/{call}/resolve", produces = JSON)
  void resolve(
      @PathVariable String id,
      @PathVariable String call,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    answer(new Target(id, call), ReadDecision.of(request, ReadDecision.Action.RESOLVE))
        .to(request, response);
  }

  private record Target(String job, String call) {}

  /** Writes what is answered. */
  private interface Answer {
    void to(HttpServletRequest request, HttpServletResponse response) throws IOException;
  }

  private Answer answer(Target target, ReadDecision.Read read) {
    return switch (read) {
      case ReadDecision.Read.Refused refused ->
          (request, response) -> WriteProblem.write(refused.problem(), request, response);
      case ReadDecision.Read.Decided decided ->
          (request, response) -> decide(target, decided.decision(), request, response);
    };
  }

  private void decide(
      Target target, Decision decision, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<JobId> job = JobId.parse(target.job());
    Optional<ToolCallId> call = ToolCallId.parse(target.call());
    if (job.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      return;
    }
    Decided decided = decide.decide(Caller.of(request), job.get(), call, decision);
    switch (decided) {
      case YES -> writeJob(job.get(), request, response);
      case OTHERWISE ->
          WriteProblem.write(Problem.of(ProblemCode.ALREADY_DECIDED), request, response);
      case NO_JOB -> WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      case NO_CALL -> WriteProblem.write(noCall(), request, response);
    }
  }

  private static Problem noCall() {
    return Problem.of(ProblemCode.NOT_FOUND, "The job has no tool call of that id.");
  }

  private void writeJob(JobId job, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] body = JsonText.write(JobResource.of(jobs.find(job, request).orElseThrow()));
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(JSON);
    response.setHeader("Cache-Control", "private, no-cache");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
