package dev.coatcheck.app.event;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.intake.DatabaseAway;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Has the streams told of events, and ends them before the web server waits for requests. */
public final class FollowJobs implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(FollowJobs.class);

  /** How long a lost notification may go unnoticed. */
  static final Duration LOOK = Duration.ofSeconds(10);

  private final Streams streams;
  private final ListenHub hub;
  private @Nullable ScheduledExecutorService timer;

  public FollowJobs(Streams streams, ListenHub hub) {
    this.streams = streams;
    this.hub = hub;
  }

  @Override
  public synchronized void start() {
    for (Channel channel : List.of(Channel.CHANGED, Channel.APPENDED)) {
      hub.subscribe(channel, streams);
    }
    timer = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    Future<?> _ =
        timer.scheduleWithFixedDelay(
            this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      streams.look();
    } catch (DatabaseAway e) {
      log.debug("nobody looked for events, the database is away");
    } catch (RuntimeException e) {
      // Thrown on, it would silence the timer for good.
      log.warn("nobody looked for events: {}", e.getClass().getName());
    }
  }

  @Override
  public synchronized void stop() {
    streams.close();
    if (timer != null) {
      timer.shutdown();
      timer = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return timer != null;
  }

  /** Stopped first of all. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
