package dev.coatcheck.app.api;

import dev.coatcheck.app.json.JsonText;
import dev.coatcheck.app.metric.CountSubmits;
import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.app.query.ReadFilter;
import dev.coatcheck.app.submit.Preference;
import dev.coatcheck.app.submit.Submit;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.CancelJob;
import dev.coatcheck.db.intake.JobPage;
import dev.coatcheck.db.intake.JobView;
import dev.coatcheck.db.intake.ListJobs;
import dev.coatcheck.db.job.JobId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The routes of jobs. Bodies are written here byte for byte, by no message converter. */
@RestController
public final class JobController {
  private static final String JSON = "application/json";

  private final Submit submit;
  private final AwaitJob await;
  private final ListJobs list;
  private final CancelJob cancel;
  private final CountSubmits counts;

  public JobController(Submit submit, AwaitJob await, Stores stores, CountSubmits counts) {
    this.submit = submit;
    this.await = await;
    this.list = stores.list;
    this.cancel = stores.cancel;
    this.counts = counts;
  }

  /** What of the store is reached from here. */
  public record Stores(ListJobs list, CancelJob cancel) {}

  @PostMapping(path = "/v1/jobs", produces = JSON)
  void submit(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Submit.Answer answer = submit.submit(request);
    counts.count(answer);
    switch (answer) {
      case Submit.Answer.Refused refused ->
          WriteProblem.write(refused.problem(), request, response);
      case Submit.Answer.Ticket ticket -> writeTicket(ticket, request, response);
    }
  }

  @GetMapping(path = "/v1/jobs/{id}", produces = JSON)
  void get(@PathVariable String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<JobView> job = JobId.parse(id).flatMap(known -> await.find(known, request, response));
    if (job.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      return;
    }
    byte[] body = JsonText.write(JobResource.of(job.get()));
    String tag = ETag.of(body);
    response.setHeader("ETag", tag);
    addPollHint(job.get(), response);
    if (ETag.isNamed(request, tag)) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    write(body, HttpServletResponse.SC_OK, response);
  }

  @PostMapping(path = "/v1/jobs/{id}/cancel", produces = JSON)
  void cancel(@PathVariable String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<JobId> job = JobId.parse(id);
    job.ifPresent(known -> cancel.cancel(Caller.of(request), known));
    Optional<JobView> ended = job.flatMap(known -> await.find(known, request));
    if (ended.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      return;
    }
    write(JsonText.write(JobResource.of(ended.get())), HttpServletResponse.SC_OK, response);
  }

  @GetMapping(path = "/v1/jobs", produces = JSON)
  void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
    switch (ReadFilter.of(request)) {
      case ReadFilter.Read.Refused refused ->
          WriteProblem.write(refused.problem(), request, response);
      case ReadFilter.Read.Filter filter -> {
        switch (list.list(Caller.of(request), filter.filter())) {
          case JobPage.Found page ->
              write(JsonText.write(JobList.of(page)), HttpServletResponse.SC_OK, response);
          case JobPage.UnknownCursor unknown ->
              WriteProblem.write(ReadFilter.unknownCursor(), request, response);
        }
      }
    }
  }

  private void writeTicket(
      Submit.Answer.Ticket ticket, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Location", "/v1/jobs/" + ticket.job());
    response.setHeader("Idempotent-Replayed", String.valueOf(ticket.isReplayed()));
    boolean waits = Preference.waitOf(request).isPresent();
    JobView job =
        ticket
            .fresh()
            .filter(fresh -> !waits)
            .orElseGet(() -> await.find(ticket.job(), request, response).orElseThrow());
    addPollHint(job, response);
    boolean waitedForTheEnd = waits && !job.status().isOpen();
    write(
        JsonText.write(JobResource.of(job)),
        waitedForTheEnd ? HttpServletResponse.SC_OK : HttpServletResponse.SC_ACCEPTED,
        response);
  }

  private static void addPollHint(JobView job, HttpServletResponse response) {
    if (job.status().isOpen()) {
      response.setHeader("Retry-After", PollHint.seconds(job));
    }
  }

  private static void write(byte[] body, int status, HttpServletResponse response)
      throws IOException {
    response.setStatus(status);
    response.setContentType(JSON);
    response.setHeader("Cache-Control", "private, no-cache");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
