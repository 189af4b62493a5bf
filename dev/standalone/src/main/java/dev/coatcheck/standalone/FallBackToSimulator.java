package dev.coatcheck.standalone;

import dev.coatcheck.simulator.Simulator;
import dev.coatcheck.simulator.SimulatorSettings;
import java.util.Map;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * A newcomer has no key yet: where no default provider is chosen and the one that would serve has
 * no key, a simulated one answers.
 */
final class FallBackToSimulator
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  static final String NAME = "simulator";
  private static final String DEFAULT_PROVIDER = "coatcheck.default-provider";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    if (!isWanted(context.getEnvironment())) {
      return;
    }
    var simulator = Simulator.start(SimulatorSettings.realistic());
    if (context.getBeanFactory() instanceof DefaultSingletonBeanRegistry registry) {
      registry.registerDisposableBean(NAME, (DisposableBean) simulator::close);
    }
    OwnProperties.set(
        context.getEnvironment(),
        Map.of(
            DEFAULT_PROVIDER,
            NAME,
            "coatcheck.providers.simulator.dialect",
            "openai",
            "coatcheck.providers.simulator.base-url",
            simulator.baseUrl().toString()));
  }

  private static boolean isWanted(Environment environment) {
    return isBlank(environment, DEFAULT_PROVIDER)
        && isBlank(environment, "coatcheck.providers.openai.api-key")
        && isBlank(environment, "OPENAI_API_KEY");
  }

  private static boolean isBlank(Environment environment, String property) {
    return environment.getProperty(property, "").isBlank();
  }
}
