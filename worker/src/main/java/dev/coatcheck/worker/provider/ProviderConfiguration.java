package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.KnownSecrets;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The providers of a process. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ProvidersSettings.class)
public class ProviderConfiguration {
  @Bean
  Providers providers(
      ProvidersSettings settings,
      Egress egress,
      InstantSource clock,
      ObjectProvider<KnownSecrets> others) {
    KnownSecrets secrets =
        new KnownSecrets(others.stream().flatMap(known -> known.all().stream()).toList());
    return new Providers(settings, egress, clock, secrets);
  }
}
