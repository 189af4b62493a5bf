package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.intake.NewJob;
import dev.coatcheck.db.intake.Submitted;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.tenant.TenantId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Submits one job under one idempotency key until it has a ticket, at times once more, and
 * remembers what it was told. It outlives the web process that answers it.
 */
final class Client {
  private static final TenantId TENANT = TenantId.DEFAULT;

  private final World world;
  private final String marker;
  private final Scenario scenario;
  private final Set<JobId> tickets = new LinkedHashSet<>();
  private boolean done;

  Client(World world, String marker, Scenario scenario) {
    this.world = world;
    this.marker = marker;
    this.scenario = scenario;
  }

  void run() {
    world.schedule.rest(Duration.ofMillis(world.schedule.random().nextInt(1_500)));
    submit();
    if (world.schedule.random().nextInt(4) == 0) {
      submit();
    }
    done = true;
  }

  private void submit() {
    JobId ticket = world.ask(() -> ticket(world.lane.submit().submit(job())));
    tickets.add(ticket);
    world.named(ticket, marker);
    world.schedule.note("has a ticket");
  }

  private static JobId ticket(Submitted submitted) {
    return switch (submitted) {
      case Submitted.Accepted accepted -> accepted.job().id();
      case Submitted.Replayed replayed -> replayed.job();
      case Submitted.Reused reused -> throw new AssertionError("refused: " + reused);
      case Submitted.TooMany full -> throw new AssertionError("refused: " + full);
    };
  }

  /** Cancels the job, if it has one yet. */
  void cancel() {
    Optional<JobId> job = tickets.stream().findFirst();
    if (job.isPresent()) {
      boolean _ =
          world.ask(
              () -> {
                world.lane.cancel().cancel(TENANT, job.get());
                return true;
              });
      world.schedule.note("cancelled " + marker);
      world.probe.hit(1);
      if (world.schedule.random().nextBoolean()) {
        world.workers().forEach(worker -> worker.hearCancelled(job.get()));
      }
    }
  }

  private NewJob job() {
    return new NewJob(
        new JobId(world.ids.next()),
        TENANT,
        marker,
        new NewJob.Model("openai/m", "openai", "m"),
        new NewJob.Terms(scenario.budget(), scenario.deadline(), Optional.empty()),
        Optional.empty(),
        new RequestBody(scenario.body(marker).getBytes(StandardCharsets.UTF_8)));
  }

  String marker() {
    return marker;
  }

  Set<JobId> tickets() {
    return tickets;
  }

  boolean isDone() {
    return done;
  }
}
