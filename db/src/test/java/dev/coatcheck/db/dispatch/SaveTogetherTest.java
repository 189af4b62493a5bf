package dev.coatcheck.db.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobDetails;
import org.junit.jupiter.api.Test;

class SaveTogetherTest {
  /** Whoever waited for the batch waited for ever. */
  @Test
  void an_error_amid_a_batch_is_told_to_all_who_wait_for_it() throws Exception {
    var begun = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var batches = new AtomicInteger();
    var together =
        new SaveTogether(
            jobs -> {
              if (batches.incrementAndGet() == 1) {
                begun.countDown();
                hold(go);
              } else if (jobs.size() == 2) {
                throw new StackOverflowError();
              }
            });
    var failures = new ConcurrentLinkedQueue<Throwable>();
    Thread first = Thread.ofPlatform().start(() -> together.save(job()));
    begun.await();
    List<Thread> others =
        Stream.of(1, 2)
            .map(
                n ->
                    Thread.ofPlatform()
                        .uncaughtExceptionHandler((thread, why) -> failures.add(why))
                        .start(() -> together.save(job())))
            .toList();
    Awaitility.await()
        .until(() -> others.stream().allMatch(one -> one.getState() == Thread.State.WAITING));
    go.countDown();
    first.join();
    for (Thread other : others) {
      assertThat(other.join(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(failures).hasSize(2);
    assertThat(batches).hasValue(2);
  }

  private static Job job() {
    var id = new UUID(0, 1);
    return new Job(id, new JobDetails(new RunDispatch(id, 1)));
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
