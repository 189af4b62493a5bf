package dev.coatcheck.app;

import dev.coatcheck.app.api.AwaitJob;
import dev.coatcheck.app.api.DeliveryController;
import dev.coatcheck.app.api.EraseController;
import dev.coatcheck.app.api.EventController;
import dev.coatcheck.app.api.JobController;
import dev.coatcheck.app.api.JobPageController;
import dev.coatcheck.app.api.PageController;
import dev.coatcheck.app.api.ToolCallController;
import dev.coatcheck.app.event.FollowJobs;
import dev.coatcheck.app.event.LetWaitersGo;
import dev.coatcheck.app.event.StreamEvents;
import dev.coatcheck.app.event.Streams;
import dev.coatcheck.app.event.Waiters;
import dev.coatcheck.app.metric.CountSubmits;
import dev.coatcheck.app.metric.GaugeJobs;
import dev.coatcheck.app.problem.ProblemAdvice;
import dev.coatcheck.app.problem.RequestId;
import dev.coatcheck.app.setting.AppSettings;
import dev.coatcheck.app.submit.Submit;
import dev.coatcheck.app.tenant.Admission;
import dev.coatcheck.app.tenant.ApiKeyFilter;
import dev.coatcheck.app.tenant.FindTenant;
import dev.coatcheck.app.tenant.WarnOfSharedSecret;
import dev.coatcheck.db.dispatch.DashboardConfiguration;
import dev.coatcheck.db.dispatch.WebDispatchConfiguration;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.intake.ApiKeys;
import dev.coatcheck.db.intake.CancelJob;
import dev.coatcheck.db.intake.CountJobs;
import dev.coatcheck.db.intake.FindEvents;
import dev.coatcheck.db.intake.FindJob;
import dev.coatcheck.db.intake.IntakeConfiguration;
import dev.coatcheck.db.intake.ListJobs;
import dev.coatcheck.db.intake.OpenJobLimit;
import dev.coatcheck.db.intake.SubmitJob;
import dev.coatcheck.db.pool.PoolConfiguration;
import dev.coatcheck.db.pool.WebPoolConfiguration;
import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.db.tool.ToolConfiguration;
import dev.coatcheck.db.tool.Tools;
import dev.coatcheck.db.webhook.WebhookSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.Ordered;

/** The web tier, as a process of its own or within another. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({AppSettings.class, WebhookSettings.class})
@PropertySource("classpath:coatcheck-app.properties")
@Import({
  PoolConfiguration.class,
  WebPoolConfiguration.class,
  WebDispatchConfiguration.class,
  DashboardConfiguration.class,
  IntakeConfiguration.class,
  ToolConfiguration.class,
  JobController.class,
  EventController.class,
  JobPageController.class,
  ToolCallController.class,
  EraseController.class,
  DeliveryController.class,
  PageController.class,
  ProblemAdvice.class
})
public class AppConfiguration {
  @Bean
  OpenJobLimit openJobLimit(AppSettings settings) {
    return new OpenJobLimit(settings.limits().openJobs());
  }

  @Bean
  Submit submit(Submit.Rules rules, SubmitJob store, Ids ids) {
    return new Submit(rules, store, ids);
  }

  @Bean
  Submit.Rules submitRules(
      AppSettings settings, WebhookSettings webhooks, InstantSource clock, Tools tools) {
    return new Submit.Rules(settings, webhooks, clock, tools);
  }

  @Bean
  WarnOfSharedSecret warnOfSharedSecret(AppSettings app, WebhookSettings webhooks, ApiKeys keys) {
    return new WarnOfSharedSecret(
        webhooks, app.apiKeys().stream().map(AppSettings.ApiKey::tenantId).toList(), keys);
  }

  @Bean
  Waiters waiters() {
    return new Waiters();
  }

  @Bean
  LetWaitersGo letWaitersGo(Waiters waiters, ListenHub hub) {
    return new LetWaitersGo(waiters, hub);
  }

  @Bean
  Streams streams(FindEvents events) {
    return new Streams(events);
  }

  @Bean
  FollowJobs followJobs(Streams streams, ListenHub hub) {
    return new FollowJobs(streams, hub);
  }

  @Bean
  StreamEvents streamEvents(Streams streams) {
    return new StreamEvents(streams, StreamEvents.COMMENT_EVERY);
  }

  @Bean
  AwaitJob awaitJob(FindJob jobs, Waiters waiters) {
    return new AwaitJob(jobs, waiters);
  }

  @Bean
  JobController.Stores controllerStores(ListJobs list, CancelJob cancel) {
    return new JobController.Stores(list, cancel);
  }

  @Bean
  CountSubmits countSubmits(MeterRegistry meters) {
    return new CountSubmits(meters);
  }

  @Bean
  GaugeJobs gaugeJobs(CountJobs jobs, Waiters waiters, Streams streams, MeterRegistry meters) {
    return new GaugeJobs(jobs, waiters, streams, meters);
  }

  @Bean
  Admission admission(AppSettings settings, ApiKeys keys) {
    var configured =
        settings.apiKeys().stream()
            .map(key -> new FindTenant.ConfiguredKey(key.hash(), key.tenantId()))
            .toList();
    if (!configured.isEmpty() || keys.anyExists()) {
      return new Admission.ByKey(new FindTenant(configured, keys, System::nanoTime));
    }
    if (settings.standalone()) {
      return new Admission.Open();
    }
    throw new SettingFault(
        "coatcheck.api-keys is empty and the database has no key either: make one with"
            + " keys create --tenant NAME, or list its SHA-256 under coatcheck.api-keys");
  }

  @Bean
  FilterRegistrationBean<ApiKeyFilter> apiKeyFilter(Admission admission) {
    var registration = new FilterRegistrationBean<>(new ApiKeyFilter(admission));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return registration;
  }

  @Bean
  RequestId requestId(Ids ids) {
    return new RequestId(ids);
  }

  @Bean
  Tomcat tomcat(RequestId requestId, Admission admission) {
    return new Tomcat(requestId, admission);
  }
}
