package dev.coatcheck.app;

import dev.coatcheck.app.problem.ProblemValve;
import dev.coatcheck.app.problem.RequestId;
import dev.coatcheck.app.tenant.Admission;
import dev.coatcheck.db.setting.SettingFault;
import java.net.InetAddress;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/** Tomcat as we want it: problems in our form, and only this machine where no key is asked for. */
final class Tomcat implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {
  private final RequestId requestId;
  private final Admission admission;

  Tomcat(RequestId requestId, Admission admission) {
    this.requestId = requestId;
    this.admission = admission;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.addContextCustomizers(
        context -> context.getParent().getPipeline().addValve(new ProblemValve(requestId)));
    // A caller that asks before it sends is told 413 or 401 instead of 100.
    factory.addConnectorCustomizers(
        connector -> connector.setProperty("continueResponseTiming", "onRead"));
    switch (admission) {
      case Admission.ByKey byKey -> {}
      case Admission.Open open -> bindLoopback(factory);
    }
  }

  /** After Spring Boot's own, whose error valve then finds nothing left to say. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  private static void bindLoopback(TomcatServletWebServerFactory factory) {
    InetAddress address = factory.getAddress();
    if (address == null) {
      factory.setAddress(InetAddress.getLoopbackAddress());
    } else if (!address.isLoopbackAddress()) {
      throw new SettingFault(
          "server.address must be a loopback address unless an API key is configured");
    }
  }
}
