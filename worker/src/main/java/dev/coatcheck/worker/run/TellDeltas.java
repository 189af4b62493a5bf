package dev.coatcheck.worker.run;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.AppendDeltas;
import dev.coatcheck.db.lease.AppendDeltas.Piece;
import dev.coatcheck.db.lease.AppendDeltas.Standing;
import dev.coatcheck.db.lease.AppendDeltas.Telling;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.time.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Tells what the models of all this worker's jobs say: what has gathered in {@link #PERIOD} becomes
 * one statement. Sleeps while nobody streams.
 */
public final class TellDeltas implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(TellDeltas.class);

  /** The least time between two statements, unless somebody has much to say. */
  static final Duration PERIOD = Duration.ofMillis(150);

  /** Stops after the runs, which wait for it. */
  private static final int PHASE = DEFAULT_PHASE - 2;

  private final Store store;
  private final Pause pause;
  private final Set<AttemptText> texts = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private @Nullable Thread thread;
  private boolean isDoubtful;

  /** Where events are kept. */
  interface Store {
    Map<JobId, Standing> look(Collection<Telling> tellings);

    Set<JobId> append(List<Piece> pieces);
  }

  public TellDeltas(AppendDeltas deltas, Pause pause) {
    this(
        new Store() {
          @Override
          public Map<JobId, Standing> look(Collection<Telling> tellings) {
            return deltas.look(tellings);
          }

          @Override
          public Set<JobId> append(List<Piece> pieces) {
            return deltas.append(pieces);
          }
        },
        pause);
  }

  TellDeltas(Store store, Pause pause) {
    this.store = store;
    this.pause = pause;
  }

  /** Begins to tell of an attempt, whose row is there. To be ended by {@link #end}. */
  AttemptText begin(Lease lease, int turn, int attempt) {
    var text = new AttemptText(lease, turn, attempt);
    texts.add(text);
    lock.lock();
    try {
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
    return text;
  }

  /**
   * The answer is whole: waits until all of its text is told, or its job is over, or nobody tells
   * any more.
   */
  void finish(AttemptText text, String whole, BooleanSupplier givenUp) throws InterruptedException {
    text.finish(whole, () -> givenUp.getAsBoolean() || !isTelling());
  }

  private boolean isTelling() {
    lock.lock();
    try {
      return thread != null && thread.isAlive();
    } finally {
      lock.unlock();
    }
  }

  void end(AttemptText text) {
    text.drop();
    texts.remove(text);
  }

  private void run() {
    while (isRunning()) {
      try {
        awaitTexts();
        while (tell()) {
          // Somebody has much to say.
        }
        pause.pause(PERIOD);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void awaitTexts() throws InterruptedException {
    lock.lock();
    try {
      while (texts.isEmpty()) {
        wanted.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells once of all.
   *
   * @return whether there is more than that
   */
  boolean tell() {
    List<AttemptText> all = List.copyOf(texts);
    for (int from = 0; from < all.size(); from += AppendDeltas.MOST) {
      tell(all.subList(from, Math.min(from + AppendDeltas.MOST, all.size())));
    }
    return !isDoubtful && all.stream().anyMatch(AttemptText::isFull);
  }

  private void tell(List<AttemptText> some) {
    try {
      lookUp(some);
      append(some);
      isDoubtful = false;
    } catch (Throwable e) {
      // Else it would end the thread for good.
      some.forEach(AttemptText::doubtful);
      if (!isDoubtful) {
        log.atWarn()
            .setMessage("what models say cannot be told for now")
            .addKeyValue("jobs", some.size())
            .addKeyValue("cause", e.getClass().getName())
            .log();
      }
      isDoubtful = true;
    }
  }

  private void lookUp(List<AttemptText> some) {
    List<AttemptText> unseen = some.stream().filter(text -> text.lookUp().isPresent()).toList();
    List<Telling> tellings = unseen.stream().flatMap(text -> text.lookUp().stream()).toList();
    if (!tellings.isEmpty()) {
      Map<JobId, Standing> standings = store.look(tellings);
      unseen.forEach(text -> text.seen(standings.get(text.job())));
    }
  }

  private void append(List<AttemptText> some) {
    Map<JobId, AttemptText> speakers = new HashMap<>();
    List<Piece> pieces = new ArrayList<>();
    for (AttemptText text : some) {
      // Of two attempts at one job, one is void already.
      if (!speakers.containsKey(text.job())) {
        text.next()
            .ifPresent(
                piece -> {
                  pieces.add(piece);
                  speakers.put(text.job(), text);
                });
      }
    }
    if (pieces.isEmpty()) {
      return;
    }
    Set<JobId> appended = store.append(pieces);
    speakers.forEach(
        (job, text) -> {
          if (appended.contains(job)) {
            text.appended();
          } else {
            text.doubtful();
          }
        });
  }

  @Override
  public void start() {
    lock.lock();
    try {
      thread = Thread.ofPlatform().name("coatcheck-deltas").daemon().unstarted(this::run);
      thread.start();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void stop() {
    lock.lock();
    try {
      if (thread != null) {
        thread.interrupt();
      }
      thread = null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isRunning() {
    lock.lock();
    try {
      return thread != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
