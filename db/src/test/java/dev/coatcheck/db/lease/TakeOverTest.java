package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.call.ClaimCall;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A call that one run takes over while the run before it still tells of it. */
@Timeout(60)
class TakeOverTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final ClaimCall.Send AGAIN = new ClaimCall.Send(2, ClaimCall.Earlier.REPLY_LOST);

  private final CountDownLatch written = new CountDownLatch(1);
  private final CountDownLatch commit = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private LeaseStores stores;
  private CallWrites calls;
  private LeasedJob before;
  private LeasedJob now;

  @BeforeEach
  void take_over() {
    stores = new LeaseStores(DATABASE.get());
    calls = new CallWrites(stores);
    before = stores.acquired();
    calls.askAndClaim(before);
    stores.set(id(), "lease_expires_at = now()");
    stores.reap.reap();
    now = stores.acquired(id(), 2);
  }

  @AfterEach
  void close() {
    commit.countDown();
    threads.close();
    stores.close();
  }

  private JobId id() {
    return before.lease().job();
  }

  private long told(String type) {
    return stores.events(id()).stream().filter(event -> event.contains(" " + type + " ")).count();
  }

  @Test
  void a_call_that_the_last_run_recorded_meanwhile_is_no_lost_lease() {
    calls.end(before);
    assertThat(calls.claim(now, AGAIN)).isEqualTo(ClaimCall.Result.MOVED_ON);
    assertThat(calls.claim(before, AGAIN)).isEqualTo(ClaimCall.Result.LEASE_LOST);
    assertThat(told("tool.started")).isEqualTo(1);
  }

  @Test
  void a_claim_that_waits_for_a_late_record_tells_of_no_start() {
    assertThat(second(() -> calls.end(before), () -> calls.claim(now, AGAIN)))
        .isEqualTo(ClaimCall.Result.MOVED_ON);
    assertThat(told("tool.started")).isEqualTo(1);
    assertThat(told("tool.ended")).isEqualTo(1);
    assertThat(stores.row(id())).containsEntry("events", stores.events(id()).size());
  }

  @Test
  void a_record_that_waits_for_a_claim_tells_of_no_end() {
    assertThat(second(() -> calls.claim(now, AGAIN), () -> calls.end(before)))
        .isEqualTo(Written.LEASE_LOST);
    assertThat(told("tool.ended")).isZero();
    assertThat(stores.row(id())).containsEntry("events", stores.events(id()).size());
  }

  @Test
  void a_doubt_that_waits_for_a_late_record_tells_of_one_end() {
    assertThat(second(() -> calls.end(before), () -> calls.doubt(now))).isEqualTo(Written.YES);
    assertThat(told("tool.ended")).isEqualTo(1);
    assertThat(stores.row(id())).containsEntry("events", stores.events(id()).size());
  }

  /** What the second says that came while the first was not committed. */
  private Object second(Supplier<Object> first, Supplier<Object> second) {
    var held =
        CompletableFuture.runAsync(
            () ->
                stores
                    .database
                    .transaction()
                    .executeWithoutResult(
                        _ -> {
                          var _ = first.get();
                          written.countDown();
                          await(commit);
                        }),
            threads);
    await(written);
    var waiting = CompletableFuture.supplyAsync(second, threads);
    Awaitility.await().atMost(SOON).until(() -> stores.blocked() == 1);
    commit.countDown();
    held.join();
    return waiting.join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
