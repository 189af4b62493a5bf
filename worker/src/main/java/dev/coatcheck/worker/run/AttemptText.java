package dev.coatcheck.worker.run;

import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.AppendDeltas.Follower;
import dev.coatcheck.db.lease.AppendDeltas.Piece;
import dev.coatcheck.db.lease.AppendDeltas.Standing;
import dev.coatcheck.db.lease.AppendDeltas.Telling;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.worker.provider.TextListener;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt's model has said, and how much of it was told. Written to by the thread that
 * reads the stream, which never waits here for more than a lock; emptied by {@link TellDeltas}.
 */
final class AttemptText implements TextListener {
  /** Characters in one event. */
  static final int MAX_PIECE = 32 * 1024;

  /** Characters that may wait to be told; what comes after is taken from the answer itself. */
  static final int MAX_WAITING = 1024 * 1024;

  private static final long RECHECK_MILLIS = 500;

  private final Lease lease;
  private final int turn;
  private final int attempt;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final StringBuilder waiting = new StringBuilder();
  private State state = State.UNSEEN;
  private int told;
  private int events;
  private @Nullable Integer stale;
  private @Nullable Sent sent;
  private @Nullable String whole;
  private boolean overflowed;

  AttemptText(Lease lease, int turn, int attempt) {
    this.lease = lease;
    this.turn = turn;
    this.attempt = attempt;
  }

  private enum State {
    /** Where the job's events stand is to be looked up: at first, and whenever that is in doubt. */
    UNSEEN,
    READY,
    /** Nothing of it is to be told any more. */
    VOID
  }

  /**
   * A piece that was handed to the database.
   *
   * @param characters of the text; none for an event that declares what came before void
   */
  private record Sent(int characters) {}

  JobId job() {
    return lease.job();
  }

  @Override
  public void text(String more) {
    lock.lock();
    try {
      overflowed = overflowed || waiting.length() + more.length() > MAX_WAITING;
      if (!overflowed) {
        waiting.append(more);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What to look up, if that is needed. */
  Optional<Telling> lookUp() {
    lock.lock();
    try {
      return state == State.UNSEEN ? Optional.of(new Telling(lease, events)) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Where the job's events stand.
   *
   * @param found none if the lease is lost or the job over
   */
  void seen(@Nullable Standing found) {
    lock.lock();
    try {
      if (state != State.UNSEEN) {
        return;
      }
      if (found == null) {
        state = State.VOID;
      } else {
        if (sent != null && found.follower() == Follower.A_PIECE) {
          confirm(sent);
        }
        events = found.events();
        stale = told == 0 ? found.stale() : null;
        state = State.READY;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The next event to append, of which the outcome must be told here. */
  Optional<Piece> next() {
    lock.lock();
    try {
      if (state != State.READY) {
        return Optional.empty();
      }
      if (stale != null && hasSomethingToSay()) {
        sent = new Sent(0);
        return Optional.of(piece(EventType.ATTEMPT_RESTARTED, restarted(stale)));
      }
      boolean isInDoubt = sent != null && sent.characters() > 0;
      String text = text(isInDoubt ? Objects.requireNonNull(sent).characters() : MAX_PIECE);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      sent = new Sent(text.length());
      return Optional.of(piece(EventType.OUTPUT_DELTA, delta(text)));
    } finally {
      lock.unlock();
    }
  }

  /** What was said before stands until something else does, or the answer is there without. */
  private boolean hasSomethingToSay() {
    return whole != null || !waiting.isEmpty();
  }

  /**
   * What comes next, at most so much. One that is in doubt is sent as it was: whichever commit
   * comes first, it is the same. Half a character waits for its other half, unless none comes.
   */
  private String text(int most) {
    CharSequence source = whole == null ? waiting : whole;
    int from = whole == null ? 0 : Math.min(told, whole.length());
    int end = Math.min(source.length(), from + most);
    boolean mayBeHalf = sent == null && (whole == null || end < whole.length());
    if (end > from && mayBeHalf && Character.isHighSurrogate(source.charAt(end - 1))) {
      end--;
    }
    return source.subSequence(from, end).toString();
  }

  private Piece piece(EventType type, String data) {
    return new Piece(lease, events, type, data);
  }

  private String delta(String text) {
    return SayDelta.of(turn, attempt, text);
  }

  private String restarted(int from) {
    return SayDelta.restarted(turn, attempt, from);
  }

  /** The piece is appended. */
  void appended() {
    lock.lock();
    try {
      if (sent != null) {
        confirm(sent);
        events++;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void confirm(Sent piece) {
    sent = null;
    stale = null;
    told += piece.characters();
    waiting.delete(0, Math.min(piece.characters(), waiting.length()));
  }

  /** The piece is not appended, or nobody knows. */
  void doubtful() {
    lock.lock();
    try {
      if (state == State.READY) {
        state = State.UNSEEN;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether a whole piece waits: there is no need to gather more. */
  boolean isFull() {
    lock.lock();
    try {
      String rest = whole;
      int left = rest == null ? waiting.length() : rest.length() - told;
      return state == State.READY && left >= MAX_PIECE;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing of it counts any more. */
  void drop() {
    lock.lock();
    try {
      state = State.VOID;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The answer is whole: waits until all of its text is told, or its job is over.
   *
   * @param text of the answer, of which what was heard is the beginning
   */
  void finish(String text, BooleanSupplier givenUp) throws InterruptedException {
    lock.lock();
    try {
      whole = text;
      while (!isTold() && !givenUp.getAsBoolean()) {
        boolean _ = changed.await(RECHECK_MILLIS, TimeUnit.MILLISECONDS);
      }
      state = State.VOID;
    } finally {
      lock.unlock();
    }
  }

  private boolean isTold() {
    String rest = whole;
    boolean isDone = sent == null && stale == null && rest != null && told >= rest.length();
    return state == State.VOID || (state == State.READY && isDone);
  }
}
