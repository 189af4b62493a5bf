package dev.coatcheck.app.event;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.intake.DatabaseAway;
import dev.coatcheck.db.intake.FindEvents;
import dev.coatcheck.db.intake.FindEvents.Extent;
import dev.coatcheck.db.intake.FindEvents.Followed;
import dev.coatcheck.db.intake.JobEvent;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The open event streams of this process. One ear listens for all of them, and one statement now
 * and then looks for what it may have missed. A stream holds a virtual thread and a socket, and a
 * connection only while it reads.
 */
public final class Streams implements ListenHub.Listener {
  /** Streams of this process; one more is refused. */
  public static final int MOST = 5_000;

  /** Streams of one tenant in this process. */
  public static final int MOST_OF_A_TENANT = 2_000;

  /** Streams that read at once, so that they leave connections to others. The rest queue here. */
  private static final int READING = 3;

  /** How long a caller queues to begin, while the database answers others. */
  private static final int LONGEST_QUEUE_S = 10;

  /** Jobs in one look. */
  private static final int LOOK_BATCH = 1_000;

  private final FindEvents events;
  private final ConcurrentMap<JobId, Set<OpenStream>> open = new ConcurrentHashMap<>();
  private final ConcurrentMap<TenantId, Integer> tenants = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(MOST);
  private final Semaphore reading = new Semaphore(READING, true);
  private final AtomicLong answers = new AtomicLong();

  /** Reads that waited in vain, while no other was answered. */
  private final AtomicLong silences = new AtomicLong();

  private volatile boolean closed;

  public Streams(FindEvents events) {
    this.events = events;
  }

  /** How many are open. */
  public int count() {
    return MOST - places.availablePermits();
  }

  /** A stream that is told of the job from now on; empty if there are too many. */
  Optional<OpenStream> open(Followed followed, int delivered) {
    if (!places.tryAcquire()) {
      return Optional.empty();
    }
    if (tenants.merge(followed.tenant(), 1, Integer::sum) > MOST_OF_A_TENANT) {
      leave(followed.tenant());
      return Optional.empty();
    }
    var stream = new OpenStream(followed, delivered);
    open.compute(
        followed.job(),
        (job, streams) -> {
          Set<OpenStream> all = streams == null ? ConcurrentHashMap.newKeySet() : streams;
          all.add(stream);
          return all;
        });
    if (closed) {
      stream.end();
    }
    return Optional.of(stream);
  }

  void close(OpenStream stream) {
    open.computeIfPresent(
        stream.followed().job(),
        (job, streams) -> {
          streams.remove(stream);
          return streams.isEmpty() ? null : streams;
        });
    leave(stream.followed().tenant());
  }

  private void leave(TenantId tenant) {
    tenants.computeIfPresent(tenant, (name, count) -> count == 1 ? null : count - 1);
    places.release();
  }

  /**
   * How far the events of a job go, if it is the tenant's: a thousand callers who come at once are
   * taken in turn.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<Extent> extent(Followed job) throws InterruptedException {
    long before = silences.get();
    if (!reading.tryAcquire(LONGEST_QUEUE_S, TimeUnit.SECONDS)) {
      throw new DatabaseAway(new TimeoutException("too many streams open at once"));
    }
    try {
      return read(before, () -> events.extent(job.tenant(), job.job()));
    } finally {
      reading.release();
    }
  }

  /** The events that follow what the stream has; none if the database is away. */
  List<JobEvent> next(OpenStream stream) throws InterruptedException {
    Followed followed = stream.followed();
    long before = silences.get();
    reading.acquire();
    try {
      return read(
          before, () -> events.after(followed.tenant(), followed.job(), stream.delivered()));
    } catch (DatabaseAway e) {
      // The stream outlives an outage: the ear is told of a gap when it is over.
      return List.of();
    } finally {
      reading.release();
    }
  }

  /**
   * Each read waits for the database for as long as a caller may be kept. So whoever has queued
   * meanwhile does not wait for it once more.
   *
   * @param before the silences when the queueing began
   */
  private <T> T read(long before, Supplier<T> read) {
    if (silences.get() != before) {
      throw new DatabaseAway(new TimeoutException("others who read waited in vain"));
    }
    long answered = answers.get();
    try {
      T answer = read.get();
      answers.incrementAndGet();
      return answer;
    } catch (DatabaseAway e) {
      if (answers.get() == answered) {
        silences.incrementAndGet();
      }
      throw e;
    }
  }

  @Override
  public void heard(Collection<JobId> jobs) {
    for (JobId job : jobs) {
      open.getOrDefault(job, Set.of()).forEach(OpenStream::ring);
    }
  }

  @Override
  public void gap() {
    all().forEach(OpenStream::ring);
  }

  /** Rings where a notification was lost, and ends the streams of jobs that are gone. */
  void look() {
    var followed =
        new ArrayList<>(new HashSet<>(all().stream().map(OpenStream::followed).toList()));
    for (int from = 0; from < followed.size() && !closed; from += LOOK_BATCH) {
      List<Followed> batch = followed.subList(from, Math.min(followed.size(), from + LOOK_BATCH));
      Map<JobId, Integer> newest = events.newest(batch);
      batch.forEach(one -> tell(one.job(), Optional.ofNullable(newest.get(one.job()))));
    }
  }

  private void tell(JobId job, Optional<Integer> newest) {
    for (OpenStream stream : open.getOrDefault(job, Set.of())) {
      if (newest.isEmpty()) {
        stream.end();
      } else if (newest.get() > stream.delivered()) {
        stream.ring();
      }
    }
  }

  /** Ends all, and whoever comes. */
  public void close() {
    closed = true;
    all().forEach(OpenStream::end);
  }

  private List<OpenStream> all() {
    return open.values().stream().flatMap(Set::stream).toList();
  }
}
