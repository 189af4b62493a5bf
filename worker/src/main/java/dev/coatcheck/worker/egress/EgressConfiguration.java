package dev.coatcheck.worker.egress;

import dev.coatcheck.db.probe.Probe;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** Opens the door of a process. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EgressSettings.class)
public class EgressConfiguration {
  /** For webhooks, which are sent beside the runs that hold the rest. */
  private static final int BESIDE_RUNS = 100;

  /** Gives way to any other. */
  @Bean
  @Fallback
  EgressProbe egressProbe(Probe probe) {
    return EgressProbe.telling(probe);
  }

  @Bean
  Egress egress(
      EgressSettings settings,
      @Value("${coatcheck.worker.concurrency:1000}") int concurrency,
      EgressProbe probe,
      ObjectProvider<ResolveHost> hosts) {
    return Egress.open(
        settings,
        concurrency + BESIDE_RUNS,
        probe,
        hosts.getIfAvailable(() -> ResolveHost.system(settings.connectTimeout())));
  }
}
