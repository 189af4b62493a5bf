package dev.coatcheck.bench;

import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.StackSettings;
import java.sql.SQLException;
import java.time.Duration;

/** Many answers that are streamed at once, and handed on as they come. */
final class Streams implements Scenario {
  private static final int JOBS = 500;
  private static final int TOKENS = 500;
  private static final int CHARACTERS_A_TOKEN = 4;
  private static final int MS_A_TOKEN = 20;
  private static final int PRODUCERS = 16;
  private static final double MIB = 1024.0 * 1024;
  private static final double MS_PER_S = 1_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String TEXT = "abc ".repeat(TOKENS).strip();
  private static final Figure AT_ONCE = Figure.of("streams open at once", "").atLeast(JOBS * 0.95);
  private static final Figure LATE_P50 =
      Figure.of("read after the provider's pace would end, p50", "ms");
  private static final Figure LATE_P95 =
      Figure.of("read after the provider's pace would end, p95", "ms");
  private static final Figure GAP_P50 = Figure.of("between two deltas of a job, p50", "ms");
  private static final Figure GAP_P95 =
      Figure.of("between two deltas of a job, p95", "ms").atMost(1_000);
  private static final Figure DELTAS = Figure.of("deltas written", "/s");
  private static final Figure TOKENS_READ = Figure.of("tokens read", "/s");
  private static final Figure POOL = Figure.of("busy in the engine pool, median", "");
  private static final Figure POOL_MOST = Figure.of("busy in the engine pool, most seen", "");
  private static final Figure CPU = Figure.of("worker's processor time", "cores");
  private static final Figure HEAP = Figure.of("worker's heap in use, most seen", "MiB");

  @Override
  public String about() {
    return "%d jobs of %d tokens, streamed at %d tokens a second each, on pools of 10"
        .formatted(JOBS, TOKENS, 1_000 / MS_A_TOKEN);
  }

  @Override
  public StackSettings settings(StackSettings common) {
    return common.with("coatcheck.worker.concurrency", String.valueOf(JOBS + 100));
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    var marker = stage.marker("streams");
    var order =
        new Submits.Order(
                marker,
                JOBS,
                nth ->
                    "Order %s%d. [[sim: every=%dms text %s]]"
                        .formatted(marker, nth, MS_A_TOKEN, TEXT))
            .streamed();
    stage.simulator().clear();
    var busy = new Samples();
    var heap = new Samples();
    long pid = stage.worker().process().pid();
    double cpu = CpuTime.seconds(pid);
    long start = System.nanoTime();
    try (var looks = Sampler.start(() -> look(stage.worker(), busy, heap))) {
      stage.submits().all(order, PRODUCERS);
      stage.awaitCompleted(order, LIMIT);
      looks.check();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    figures.add(AT_ONCE, stage.simulator().counts().peakOpen());
    figures.add(TOKENS_READ, JOBS * (double) TOKENS / seconds);
    figures.add(POOL, busy.median());
    figures.add(POOL_MOST, busy.percentile(100));
    figures.add(CPU, (CpuTime.seconds(pid) - cpu) / seconds);
    figures.add(HEAP, heap.percentile(100));
    figures.add(DELTAS, deltas(stage.database(), marker) / seconds);
    handedOn(stage.database(), marker, figures);
    checkTexts(stage.database(), marker);
  }

  private static void look(ServerProcess worker, Samples busy, Samples heap) {
    busy.add(worker.metric("hikaricp_connections_active", "engine"));
    heap.add(worker.metric("jvm_memory_used_bytes", "area=\"heap\"") / MIB);
  }

  private static double deltas(Database database, String marker) throws SQLException {
    return database.number(
        """
        select count(*) from event join job on job.id = event.job_id
        where job.idempotency_key like ? and event.type = 'output.delta'
        """,
        marker + "%");
  }

  private static void handedOn(Database database, String marker, Figures figures)
      throws SQLException {
    // The head, an event for what begins, one for each token, and three for what ends.
    double pace = (TEXT.length() / (double) CHARACTERS_A_TOKEN + 4) * MS_A_TOKEN;
    figures.add(LATE_P50, duration(database, marker, 0.5) - pace);
    figures.add(LATE_P95, duration(database, marker, 0.95) - pace);
    figures.add(GAP_P50, gap(database, marker, 0.5));
    figures.add(GAP_P95, gap(database, marker, 0.95));
  }

  private static double duration(Database database, String marker, double part)
      throws SQLException {
    return database.number(
        """
        select percentile_cont(?) within group (order by duration_ms)
        from attempt join job on job.id = attempt.job_id where job.idempotency_key like ?
        """,
        part,
        marker + "%");
  }

  private static double gap(Database database, String marker, double part) throws SQLException {
    return MS_PER_S
        * database.number(
            """
            select percentile_cont(?) within group (order by gap) from (
              select extract(epoch from event.created_at - lag(event.created_at)
                over (partition by event.job_id order by event.number)) as gap
              from event join job on job.id = event.job_id
              where job.idempotency_key like ? and event.type = 'output.delta') as gaps
            """,
            part,
            marker + "%");
  }

  private static void checkTexts(Database database, String marker) throws SQLException {
    double whole =
        database.number(
            """
            select count(*) from (
              select string_agg(cast(event.data as json) ->> 'text', '' order by event.number) as text
              from event join job on job.id = event.job_id
              where job.idempotency_key like ? and event.type = 'output.delta'
              group by job.id) as texts
            where text = ?
            """,
            marker + "%",
            TEXT);
    if (whole != JOBS) {
      throw new BenchFailed("the deltas of %.0f of %d jobs make their text".formatted(whole, JOBS));
    }
  }
}
