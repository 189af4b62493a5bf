package dev.coatcheck.app.api;

import dev.coatcheck.app.event.LastEventId;
import dev.coatcheck.app.event.StreamEvents;
import dev.coatcheck.app.event.Streams;
import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.FindEvents.Extent;
import dev.coatcheck.db.intake.FindEvents.Followed;
import dev.coatcheck.db.job.JobId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A job's events as they come, as server-sent events. */
@RestController
public final class EventController {
  private static final String EVENT_STREAM = "text/event-stream";

  private final Streams streams;
  private final StreamEvents stream;

  public EventController(Streams streams, StreamEvents stream) {
    this.streams = streams;
    this.stream = stream;
  }

  @GetMapping(path = "/v1/jobs/{id}/events", produces = EVENT_STREAM)
  void events(@PathVariable String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    Optional<Followed> job = JobId.parse(id).map(known -> new Followed(Caller.of(request), known));
    Optional<Extent> extent = job.isEmpty() ? Optional.empty() : streams.extent(job.get());
    if (job.isEmpty() || extent.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      return;
    }
    Optional<Integer> last =
        LastEventId.of(request).filter(number -> number <= extent.get().newest());
    if (last.isEmpty()) {
      WriteProblem.write(noSuchEvent(), request, response);
    } else if (extent.get().ended() && last.get() == extent.get().newest()) {
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    } else {
      stream(job.get(), last.get(), request, response);
    }
  }

  private void stream(
      Followed job, int after, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType(EVENT_STREAM);
    response.setHeader("Cache-Control", "no-store");
    // Proxies that know it pass each event on at once.
    response.setHeader("X-Accel-Buffering", "no");
    if (request.getMethod().equals("HEAD")) {
      return;
    }
    switch (stream.stream(job, after, request, response)) {
      case STREAMED -> {}
      case FULL -> WriteProblem.write(Problem.of(ProblemCode.TOO_MANY_STREAMS), request, response);
    }
  }

  private static Problem noSuchEvent() {
    return Problem.of(
        ProblemCode.INVALID_REQUEST,
        List.of(
            new Problem.FieldError(
                LastEventId.HEADER, "must be the number of an event that the job has")));
  }
}
