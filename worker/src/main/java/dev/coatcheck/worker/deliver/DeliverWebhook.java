package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.delivery.ClaimDelivery;
import dev.coatcheck.db.delivery.ClaimedDelivery;
import dev.coatcheck.db.delivery.SettleDelivery;
import dev.coatcheck.db.delivery.TryOutcome;
import dev.coatcheck.db.dispatch.DeliveryStarter;
import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.egress.OutboundCall;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One try of a delivery, from claim to outcome. */
final class DeliverWebhook {
  private static final Logger log = LoggerFactory.getLogger(DeliverWebhook.class);

  private final Stores stores;
  private final PostEvent post;
  private final MeterRegistry meters;

  DeliverWebhook(Stores stores, PostEvent post, MeterRegistry meters) {
    this.stores = stores;
    this.post = post;
    this.meters = meters;
  }

  /** What of the store is reached from here. */
  record Stores(ClaimDelivery claim, SettleDelivery settle, Insist insist, Probe probe) {}

  DispatchEnd deliver(DeliveryStarter.Start start, OutboundCall call) throws InterruptedException {
    stores.probe.reach(Checkpoint.K14_BEFORE_DELIVERY);
    Optional<ClaimedDelivery> claimed = stores.claim.claim(start.delivery(), start.number());
    if (claimed.isEmpty()) {
      return new DispatchEnd.Succeeded();
    }
    TryOutcome outcome = post.post(claimed.get(), call);
    stores.probe.reach(Checkpoint.K15_POSTED);
    settle(claimed.get(), outcome);
    return end(start, claimed.get(), outcome);
  }

  /** Insists: what was delivered must not be sent again only because the database was away. */
  private void settle(ClaimedDelivery delivery, TryOutcome outcome) throws InterruptedException {
    long until = System.nanoTime() + Limits.LEASE.minus(Limits.TRY).toNanos();
    stores.insist.on(
        () -> stores.settle.settle(delivery, outcome), () -> System.nanoTime() - until > 0);
  }

  /** Like a run that is parked, a try that is followed by another has done its work. */
  private DispatchEnd end(
      DeliveryStarter.Start start, ClaimedDelivery delivery, TryOutcome outcome) {
    return switch (outcome) {
      case TryOutcome.Delivered delivered -> {
        count("delivered");
        yield new DispatchEnd.Succeeded();
      }
      case TryOutcome.Failed failed -> {
        count("failed");
        start.log().line(failed.error() + ", again in " + failed.pause().toSeconds() + " s");
        yield new DispatchEnd.Succeeded();
      }
      case TryOutcome.Dead dead -> {
        count("dead");
        log.atWarn()
            .setMessage("a webhook is given up")
            .addKeyValue("job", delivery.event().job())
            .addKeyValue("delivery", delivery.id())
            .addKeyValue("error", dead.error())
            .log();
        yield new DispatchEnd.Failed(dead.error());
      }
      case TryOutcome.Released released -> new DispatchEnd.Succeeded();
    };
  }

  private void count(String outcome) {
    meters.counter("coatcheck.deliveries", "outcome", outcome).increment();
  }
}
