package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.delivery.ClaimDelivery;
import dev.coatcheck.db.delivery.DispatchDeliveries;
import dev.coatcheck.db.delivery.ReviveDeliveries;
import dev.coatcheck.db.delivery.SettleDelivery;
import dev.coatcheck.db.dispatch.DeliveryStarter;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.time.Pause;
import dev.coatcheck.db.webhook.WebhookSettings;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressProbe;
import dev.coatcheck.worker.egress.EgressSettings;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.egress.ResolveHost;
import dev.coatcheck.worker.egress.Secret;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The sender of webhooks. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookSettings.class)
public class DeliverConfiguration {
  /** Deliveries that a worker may try at once. */
  public static final int SLOTS = Limits.AT_ONCE;

  /** A door of its own: what it reaches is guarded, and an endpoint that hangs holds no call. */
  @Bean(defaultCandidate = false)
  Egress webhookEgress(
      EgressSettings settings,
      WebhookSettings webhooks,
      EgressProbe probe,
      ObjectProvider<ResolveHost> hosts) {
    var door =
        new EgressSettings(
            settings.connectTimeout(),
            Limits.TRY,
            Limits.RESPONSE,
            settings.proxy(),
            settings.caFile());
    ResolveHost names = hosts.getIfAvailable(() -> ResolveHost.system(settings.connectTimeout()));
    ResolveHost guarded = ResolveHost.guarded(names, webhooks.reach());
    return Egress.open(door, Limits.AT_ONCE, probe, exceptProxy(settings, names, guarded));
  }

  /** The proxy is the operator's; what lies behind it, the proxy resolves and has to guard. */
  private static ResolveHost exceptProxy(
      EgressSettings settings, ResolveHost names, ResolveHost guarded) {
    URI proxy = settings.proxy();
    return proxy == null
        ? guarded
        : host -> (host.equals(proxy.getHost()) ? names : guarded).resolve(host);
  }

  @Bean
  KnownSecrets webhookSecrets(WebhookSettings settings) {
    return new KnownSecrets(settings.allSecrets().stream().map(Secret::of).toList());
  }

  @Bean
  PumpDeliveries pumpDeliveries(EngineDatabase database, Dispatches dispatches, ListenHub hub) {
    return new PumpDeliveries(
        new DispatchDeliveries(database, dispatches), new ReviveDeliveries(database), hub);
  }

  @Bean
  DeliverWebhook.Stores deliverStores(EngineDatabase database, Pause pause) {
    return new DeliverWebhook.Stores(
        new ClaimDelivery(database, Limits.LEASE),
        new SettleDelivery(database),
        new Insist(pause),
        database.probe());
  }

  @Bean
  PostEvent postEvent(
      WebhookSettings settings, @Qualifier("webhookEgress") Egress egress, InstantSource clock) {
    return new PostEvent(
        settings, egress, new JudgeReply(new Schedule(new SecureRandom()), clock), clock);
  }

  @Bean
  DeliveryStarter deliveries(
      DeliverWebhook.Stores stores,
      PostEvent post,
      MeterRegistry meters,
      PumpDeliveries pump,
      @Value("${coatcheck.worker.stop-grace:5s}") Duration stopGrace) {
    return new Deliveries(new DeliverWebhook(stores, post, meters), pump::signal, stopGrace);
  }
}
