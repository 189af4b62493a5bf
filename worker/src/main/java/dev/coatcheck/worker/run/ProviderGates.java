package dev.coatcheck.worker.run;

import dev.coatcheck.worker.provider.Provider;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Bounds the calls that are open to one provider at once, over this worker. */
final class ProviderGates {
  private final Map<String, Semaphore> gates = new ConcurrentHashMap<>();

  /** Opened by {@link #enter}; closed when the call is over. */
  interface Passage extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @return null if no call was over within that time
   */
  @Nullable Passage enter(Provider provider, Duration patience) throws InterruptedException {
    if (provider.maxConcurrency() == 0) {
      return () -> {};
    }
    Semaphore gate =
        gates.computeIfAbsent(
            provider.name(), name -> new Semaphore(provider.maxConcurrency(), true));
    return gate.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS) ? gate::release : null;
  }
}
