package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Future;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Does what JobRunr does: hands dispatches that are due to workers, touches those at work, shows
 * how they ended, takes up orphans. At times it hands one over twice, or an older one.
 */
final class Dispatcher {
  private static final int ONE_IN = 8;
  private static final Duration ORPHANED = Duration.ofSeconds(20);
  private static final Duration PERIOD = Duration.ofMillis(700);

  private final World world;
  private final Random random;
  private final List<Delivery> deliveries = new ArrayList<>();

  Dispatcher(World world) {
    this.world = world;
    this.random = new Random(world.schedule.random().nextLong());
  }

  private record Delivery(
      UUID dispatch, SimulatedWorker worker, Future<DispatchEnd> end, long since) {}

  void run() {
    while (true) {
      world.schedule.rest(PERIOD);
      settle();
      deliver();
    }
  }

  private JdbcClient.StatementSpec sql(String sql) {
    return world.lane.database.outside().sql(sql);
  }

  private void settle() {
    for (Delivery delivery : List.copyOf(deliveries)) {
      if (delivery.worker.process().isDead()) {
        if (world.schedule.now() - delivery.since > ORPHANED.toNanos()) {
          deliveries.remove(delivery);
          set(delivery.dispatch, "ENQUEUED", "now()", "PROCESSING");
        }
      } else if (delivery.end.isDone()) {
        deliveries.remove(delivery);
        show(delivery);
      } else if (delivery.worker.isOpen()) {
        set(delivery.dispatch, "PROCESSING", "now()", "PROCESSING");
      }
    }
  }

  private void show(Delivery delivery) {
    if (delivery.end.state() == Future.State.FAILED) {
      set(delivery.dispatch, "SCHEDULED", "now() + interval '1 second'", "PROCESSING");
      return;
    }
    String state =
        switch (delivery.end.resultNow()) {
          case DispatchEnd.Succeeded _ -> "SUCCEEDED";
          case DispatchEnd.Failed _ -> "FAILED";
          case DispatchEnd.Deleted _ -> "DELETED";
        };
    set(delivery.dispatch, state, "now()", "PROCESSING");
  }

  private void set(UUID dispatch, String state, String at, String from) {
    int _ =
        sql("""
                update jobrunr_jobs set state = :state, updatedAt = now() at time zone 'UTC',
                  scheduledAt = (%s) at time zone 'UTC' where id = :id and state = :from
                """
                .formatted(at))
            .param("state", state)
            .param("id", dispatch.toString())
            .param("from", from)
            .update();
  }

  private record Newest(JobId job, int dispatch) {}

  private void deliver() {
    List<String> due =
        sql("""
            select id from jobrunr_jobs
            where state = 'ENQUEUED' or state = 'SCHEDULED' and scheduledAt <= now() at time zone 'UTC'
            """)
            .query((row, number) -> row.getString(1))
            .list();
    if (due.isEmpty()) {
      return;
    }
    List<Newest> jobs =
        sql("select id, dispatch_no from job order by id")
            .query(
                (row, number) -> new Newest(new JobId(row.getObject(1, UUID.class)), row.getInt(2)))
            .list();
    for (Newest newest : jobs) {
      for (int number = 1; number <= newest.dispatch; number++) {
        if (due.contains(Dispatch.idOf(newest.job, number).toString())) {
          handOver(newest.job, number);
        }
      }
    }
  }

  private void handOver(JobId job, int number) {
    List<SimulatedWorker> open = world.workers().stream().filter(SimulatedWorker::isOpen).toList();
    if (open.isEmpty()) {
      return;
    }
    UUID dispatch = Dispatch.idOf(job, number);
    set(dispatch, "PROCESSING", "now()", "ENQUEUED");
    set(dispatch, "PROCESSING", "now()", "SCHEDULED");
    SimulatedWorker worker = open.get(random.nextInt(open.size()));
    world.schedule.note(
        "hands dispatch %d of %s to %s"
            .formatted(number, world.nameOf(job), worker.process().name()));
    deliveries.add(
        new Delivery(dispatch, worker, worker.deliver(job, number), world.schedule.now()));
    if (random.nextInt(ONE_IN) == 0) {
      int again = 1 + random.nextInt(number);
      world.schedule.note("and dispatch " + again + " once more");
      Future<DispatchEnd> _ = open.get(random.nextInt(open.size())).deliver(job, again);
    }
  }
}
