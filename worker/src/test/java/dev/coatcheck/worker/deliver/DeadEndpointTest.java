package dev.coatcheck.worker.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.delivery.DispatchDeliveries;
import dev.coatcheck.worker.raw.RawServer;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An endpoint that takes every connection and never answers, beside one that is well. */
@Timeout(90)
class DeadEndpointTest {
  private static final int TO_THE_DEAD = 60;
  private static final int TO_THE_WELL = 60;

  /** Far below the 15 s that the dead one holds each of its tries. */
  private static final double MOST_SECONDS = 3;

  @Test
  void it_delays_its_own_webhooks_and_nobody_elses() throws IOException {
    try (RawServer dead = RawServer.start();
        RawServer well = RawServer.start();
        DeliveryRig rig = DeliveryRig.usual()) {
      dead.otherwise(conversation -> conversation.waitForHangUp(60_000));
      IntStream.range(0, TO_THE_DEAD).forEach(i -> rig.ended(url(dead)));
      await().atMost(Duration.ofSeconds(20)).until(() -> !dead.requests().isEmpty());
      IntStream.range(0, TO_THE_WELL).forEach(i -> rig.ended(url(well)));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> count(rig, "state = 'delivered'") == TO_THE_WELL);

      assertThat(p99Seconds(rig)).isLessThan(MOST_SECONDS);
      assertThat(count(rig, "state = 'pending'")).isEqualTo(TO_THE_DEAD);
      assertThat(dead.requests()).hasSizeLessThanOrEqualTo(DispatchDeliveries.PER_ENDPOINT);
      await()
          .atMost(Duration.ofSeconds(25))
          .until(() -> count(rig, "failures = 1") >= DispatchDeliveries.PER_ENDPOINT);
      assertThat(
              rig.sql
                  .sql(
                      """
                      select count(*) from delivery_attempt
                      where error = 'no whole answer within 15 s' and http_status is null
                      """)
                  .query(Integer.class)
                  .single())
          .isGreaterThanOrEqualTo(DispatchDeliveries.PER_ENDPOINT);
    }
  }

  /** From the end of the job to the try. */
  private static double p99Seconds(DeliveryRig rig) {
    return rig.sql
        .sql(
            """
            select extract(epoch from
              percentile_disc(0.99) within group (order by tried.at - delivery.created_at))
            from delivery_attempt tried join delivery on delivery.id = tried.delivery_id
            where delivery.state = 'delivered'
            """)
        .query(Double.class)
        .single();
  }

  private static int count(DeliveryRig rig, String condition) {
    return rig.sql
        .sql("select count(*) from delivery where " + condition)
        .query(Integer.class)
        .single();
  }

  private static String url(RawServer server) {
    return "http://127.0.0.1:" + server.port() + "/";
  }
}
