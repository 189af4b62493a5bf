package dev.coatcheck.app.api;

import dev.coatcheck.app.json.JsonText;
import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.problem.WriteProblem;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.DeliveryView;
import dev.coatcheck.db.intake.FindDeliveries;
import dev.coatcheck.db.intake.ReplayDelivery;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What became of a job's webhook, and sending it again. */
@RestController
public final class DeliveryController {
  private static final String JSON = "application/json";

  private final FindDeliveries deliveries;
  private final ReplayDelivery replay;

  public DeliveryController(FindDeliveries deliveries, ReplayDelivery replay) {
    this.deliveries = deliveries;
    this.replay = replay;
  }

  @GetMapping(path = "/v1/jobs/{id}/webhook_deliveries", produces = JSON)
  void list(@PathVariable String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<List<DeliveryView>> found =
        JobId.parse(id).flatMap(job -> deliveries.find(Caller.of(request), job));
    if (found.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      return;
    }
    write(DeliveryResource.Page.of(found.get()), HttpServletResponse.SC_OK, response);
  }

  @PostMapping(path = "/v1/jobs/{id}/webhook_deliveries/{delivery}/replay", produces = JSON)
  void replay(
      @PathVariable String id,
      @PathVariable String delivery,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    TenantId tenant = Caller.of(request);
    Optional<JobId> job = JobId.parse(id);
    Optional<List<DeliveryView>> known = job.flatMap(one -> deliveries.find(tenant, one));
    if (known.isEmpty()) {
      WriteProblem.write(Problem.of(ProblemCode.JOB_NOT_FOUND), request, response);
      return;
    }
    Optional<DeliveryId> wanted =
        DeliveryId.parse(delivery).filter(one -> find(known.get(), one).isPresent());
    if (wanted.isEmpty()) {
      Problem problem = Problem.of(ProblemCode.NOT_FOUND, "The job has no delivery of that id.");
      WriteProblem.write(problem, request, response);
      return;
    }
    replay.replay(tenant, job.orElseThrow(), wanted.get());
    DeliveryView again =
        deliveries
            .find(tenant, job.orElseThrow())
            .flatMap(now -> find(now, wanted.get()))
            .orElseThrow();
    write(DeliveryResource.of(again), HttpServletResponse.SC_ACCEPTED, response);
  }

  private static Optional<DeliveryView> find(List<DeliveryView> deliveries, DeliveryId id) {
    return deliveries.stream().filter(one -> one.id().equals(id)).findFirst();
  }

  private static void write(Object resource, int status, HttpServletResponse response)
      throws IOException {
    byte[] body = JsonText.write(resource);
    response.setStatus(status);
    response.setContentType(JSON);
    response.setHeader("Cache-Control", "private, no-cache");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
