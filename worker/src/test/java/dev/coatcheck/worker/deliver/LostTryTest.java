package dev.coatcheck.worker.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that is lost, or stops, in the middle of a delivery. */
@Timeout(60)
class LostTryTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final RawServer endpoint = server();

  @AfterEach
  void close() throws IOException {
    endpoint.close();
  }

  @Test
  void a_webhook_that_was_posted_and_not_marked_is_sent_again_under_the_same_id() {
    try (DeliveryRig rig = DeliveryRig.probed(once(Checkpoint.K15_POSTED))) {
      JobId job = rig.ended(url());
      await().atMost(LONG).until(() -> endpoint.requests().size() == 1);
      rig.forfeit(job);
      rig.awaitState(job, "delivered", 2);

      assertThat(endpoint.requests()).hasSize(2);
      assertThat(endpoint.requests().stream().map(LostTryTest::id).distinct()).hasSize(1);
      List<Map<String, @Nullable Object>> tries = rig.tries(job);
      assertThat(String.valueOf(tries.getFirst().get("error"))).contains("was lost");
      assertThat(tries.getLast()).containsEntry("http_status", 200).containsEntry("error", null);
    }
  }

  @Test
  void a_worker_that_is_lost_before_the_claim_costs_no_webhook() {
    try (DeliveryRig rig = DeliveryRig.probed(once(Checkpoint.K14_BEFORE_DELIVERY))) {
      JobId job = rig.ended(url());
      rig.awaitState(job, "delivered", 1);
      assertThat(endpoint.requests()).hasSize(1);
    }
  }

  @Test
  void a_stop_releases_what_does_not_end_in_time_and_counts_nothing() {
    endpoint.otherwise(conversation -> conversation.waitForHangUp(30_000));
    try (DeliveryRig rig = DeliveryRig.usual()) {
      JobId job = rig.ended(url());
      await().atMost(LONG).until(() -> endpoint.requests().size() == 1);
      rig.stopWorker();

      assertThat(rig.delivery(job))
          .containsEntry("state", "pending")
          .containsEntry("failures", 0)
          .containsEntry("claimed_until", null);
      assertThat(rig.tries(job).getFirst()).containsEntry("error", "the worker stopped");
    }
  }

  private static Probe once(Checkpoint wanted) {
    var done = new AtomicBoolean();
    return point -> {
      if (point == wanted && done.compareAndSet(false, true)) {
        throw new IllegalStateException("lost here");
      }
    };
  }

  private static String id(Conversation.Request request) {
    return request.header("webhook-id").orElseThrow();
  }

  private String url() {
    return "http://127.0.0.1:" + endpoint.port() + "/";
  }

  private static RawServer server() {
    try {
      return RawServer.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
