package dev.coatcheck.chaos.inside;

import dev.coatcheck.db.probe.Probe;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** A probe that takes orders, and a clock that may jump, in a process under test. */
@AutoConfiguration
public class Inside {
  /** Names the file that orders come in. */
  public static final String ORDERS = "chaos.orders";

  @Bean
  static Orders orders() {
    return Orders.from(Path.of(Objects.requireNonNull(System.getProperty(ORDERS), ORDERS)));
  }

  @Bean
  static Probe haltingProbe(Orders orders) {
    return orders::reached;
  }

  @Bean
  static BeanPostProcessor jumpingClock(Orders orders) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof InstantSource clock) {
          InstantSource jumping = () -> clock.instant().plus(orders.jump());
          return jumping;
        }
        return bean;
      }
    };
  }
}
