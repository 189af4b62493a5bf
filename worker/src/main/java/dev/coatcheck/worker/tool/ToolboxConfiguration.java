package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.CallStores;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.tool.Tools;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.retry.RetryPolicy;
import dev.coatcheck.worker.retry.RetrySettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The tools of a process, ready to be run. */
@Configuration(proxyBeanMethods = false)
public class ToolboxConfiguration {
  @Bean
  KnownSecrets toolSecrets(Tools tools) {
    return ToolSecrets.of(tools);
  }

  @Bean
  Toolbox toolbox(Tools tools, Toolbox.Stores stores, Toolbox.Manner manner, Toolbox.Door door) {
    return new Toolbox(tools, stores, manner, door);
  }

  @Bean
  Toolbox.Stores toolboxStores(CallStores calls, Insist insist, Probe probe) {
    return new Toolbox.Stores(calls, insist, probe);
  }

  @Bean
  Toolbox.Manner toolboxManner(RetrySettings settings, MeterRegistry meters) {
    return new Toolbox.Manner(
        new RetryPolicy(settings),
        new SecureRandom(),
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("tool-", 0).factory()),
        meters);
  }

  @Bean
  Toolbox.Door toolboxDoor(Egress egress, KnownSecrets toolSecrets, InstantSource clock) {
    return new Toolbox.Door(egress, toolSecrets, clock);
  }
}
