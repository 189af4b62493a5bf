package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Name servers that do not answer, behind the system's resolver. */
@Timeout(60)
class SystemHostsTest {
  private static final Duration LIMIT = Duration.ofMillis(300);

  /** Three for each thread. */
  private static final int DEAD = 24;

  private final CountDownLatch silence = new CountDownLatch(1);
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final ResolveHost hosts = new SystemHosts(LIMIT, this::ask);

  private List<InetAddress> ask(String host) throws UnknownHostException {
    asked.add(host);
    if (host.startsWith("dead")) {
      awaitEnd(host);
      throw new UnknownHostException(host);
    }
    return List.of(InetAddress.getLoopbackAddress());
  }

  private void awaitEnd(String host) throws UnknownHostException {
    try {
      if (!silence.await(30, TimeUnit.SECONDS)) {
        throw new UnknownHostException(host);
      }
    } catch (InterruptedException e) {
      throw new UnknownHostException(host);
    }
  }

  @Test
  void names_that_nobody_waited_for_any_more_kept_all_others_waiting() throws Exception {
    var givenUp = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < DEAD; i++) {
        String host = "dead-" + i + ".example";
        threads.execute(
            () -> {
              try {
                hosts.resolve(host);
              } catch (UnknownHostException e) {
                givenUp.incrementAndGet();
              }
            });
      }
    }
    assertThat(givenUp).hasValue(DEAD);
    int threads = asked.size();
    assertThat(threads).isLessThan(DEAD);
    silence.countDown();

    assertThat(hosts.resolve("alive.example")).hasSize(1);
    assertThat(asked).hasSize(threads + 1);
  }
}
