package dev.coatcheck.db.dispatch;

import org.jobrunr.dashboard.JobRunrDashboardWebServer;
import org.jobrunr.spring.autoconfigure.JobRunrProperties;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** JobRunr's dashboard where it is switched on. The starter starts it last and stops it. */
@Configuration(proxyBeanMethods = false)
public class DashboardConfiguration {
  @Bean
  @ConditionalOnProperty(prefix = "jobrunr.dashboard", name = "enabled", havingValue = "true")
  JobRunrDashboardWebServer dashboard(
      StorageProvider storage,
      JsonMapper jobRunrJsonMapper,
      JobRunrProperties properties,
      @Value("${coatcheck.dashboard.address:127.0.0.1}") String address) {
    return new Dashboard(
        storage, jobRunrJsonMapper, DashboardSettings.of(address, properties.getDashboard()));
  }
}
