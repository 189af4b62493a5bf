package dev.coatcheck.app.event;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.ListenHub;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Has the waiters told of changes, and lets them go before the web server waits for requests. */
public final class LetWaitersGo implements SmartLifecycle {
  private final Waiters waiters;
  private final ListenHub hub;
  private @Nullable AutoCloseable subscription;

  public LetWaitersGo(Waiters waiters, ListenHub hub) {
    this.waiters = waiters;
    this.hub = hub;
  }

  @Override
  public void start() {
    subscription = hub.subscribe(Channel.CHANGED, waiters);
  }

  @Override
  public void stop() {
    waiters.close();
    subscription = null;
  }

  @Override
  public boolean isRunning() {
    return subscription != null;
  }

  /** Stopped first of all. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
