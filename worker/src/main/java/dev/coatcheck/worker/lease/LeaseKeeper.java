package dev.coatcheck.worker.lease;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.RenewLeases;
import dev.coatcheck.db.lease.RenewLeases.Renewal;
import dev.coatcheck.db.time.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Renews the leases of all runs of this worker, one statement for each third of a lease. A row that
 * was locked, or a database that was away, is asked again a second later. When a job is said to be
 * cancelled its lease is looked at at once.
 */
public final class LeaseKeeper implements ListenHub.Listener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

  /** When to ask again for what could not be renewed. */
  static final Duration AGAIN = Duration.ofSeconds(1);

  private final Renewals renewals;
  private final Map<JobId, Held> held = new ConcurrentHashMap<>();
  private final RecallCancels cancels;
  private final ScheduledExecutorService timer;
  private final Ticks ticks;

  /** Where leases are renewed. */
  interface Renewals {
    Renewal renew(Collection<Lease> leases);
  }

  public LeaseKeeper(RenewLeases renewals, ListenHub hub, Duration lease, Rhythm rhythm) {
    this(renewals::renew, lease, rhythm);
    hub.subscribe(Channel.CANCELLED, this);
  }

  LeaseKeeper(Renewals renewals, Duration lease, Rhythm rhythm) {
    this.renewals = renewals;
    this.timer = rhythm.timer;
    this.ticks = rhythm.ticks;
    this.cancels = new RecallCancels(ticks);
    long third = lease.toMillis() / 3;
    Future<?> _ =
        timer.scheduleAtFixedRate(() -> renew(held.values()), third, third, TimeUnit.MILLISECONDS);
  }

  /**
   * When a keeper acts, and by which clock.
   *
   * @param timer of one thread, the keeper's own
   */
  public record Rhythm(ScheduledExecutorService timer, Ticks ticks) {
    public static Rhythm real() {
      return new Rhythm(
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().name("coatcheck-leases").daemon().factory()),
          Ticks.REAL);
    }
  }

  /**
   * Keeps this lease from now on. Of two runs of one job the older is lost, whichever comes here
   * first.
   */
  public void keep(Held lease) {
    JobId job = lease.lease().job();
    var overtaken = new ArrayList<Held>(1);
    held.merge(
        job,
        lease,
        (kept, more) -> {
          boolean isNewer = epoch(more) > epoch(kept);
          overtaken.add(isNewer ? kept : more);
          return isNewer ? more : kept;
        });
    overtaken.forEach(Held::lost);
    if (cancels.isHeard(job)) {
      renewNow(List.of(lease));
    }
  }

  private static long epoch(Held lease) {
    return lease.lease().epoch().value();
  }

  /** Keeps it no longer. */
  public void drop(Held lease) {
    held.remove(lease.lease().job(), lease);
  }

  @Override
  public void heard(Collection<JobId> jobs) {
    // First, so that a lease which is not found here finds this.
    cancels.hear(jobs);
    List<Held> ours = jobs.stream().map(held::get).filter(Objects::nonNull).toList();
    if (!ours.isEmpty()) {
      renewNow(ours);
    }
  }

  @Override
  public void gap() {
    if (!held.isEmpty()) {
      renewNow(held.values());
    }
  }

  private void renewNow(Collection<Held> some) {
    if (!timer.isShutdown()) {
      timer.execute(() -> renew(some));
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** Whatever is thrown ends here: it would end the timer, and with it every lease. */
  private void renew(Collection<Held> some) {
    try {
      tell(List.copyOf(some));
    } catch (DataAccessException e) {
      log.debug("leases were not renewed, the database is away");
      again(some);
    } catch (Throwable e) {
      log.warn("renewing leases failed", e);
      again(some);
    }
  }

  private void tell(List<Held> asked) {
    if (asked.isEmpty()) {
      return;
    }
    long now = ticks.nanos();
    Renewal renewal = renewals.renew(asked.stream().map(Held::lease).toList());
    var locked = new ArrayList<Held>();
    for (Held one : asked) {
      Lease lease = one.lease();
      if (renewal.renewed().contains(lease.job())) {
        one.confirmed(now);
      } else if (renewal.lost().contains(lease.job())) {
        one.lost();
      } else {
        locked.add(one);
      }
    }
    again(locked);
  }

  private void again(Collection<Held> some) {
    if (!some.isEmpty() && !timer.isShutdown()) {
      Future<?> _ =
          timer.schedule(
              () -> renew(some.stream().filter(this::isKept).toList()),
              AGAIN.toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  private boolean isKept(Held one) {
    return one.equals(held.get(one.lease().job()));
  }
}
