package dev.coatcheck.db.dispatch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jobrunr.jobs.Job;
import org.jobrunr.storage.ConcurrentJobModificationException;
import org.jobrunr.storage.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * Saves in one transaction what many threads want to save in the same moment: whoever gets the lock
 * saves for all that wait. A thread alone saves at once.
 */
final class SaveTogether {
  /** Saved in one transaction. */
  static final int BATCH = 200;

  private final Consumer<List<Job>> save;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param save throws {@link ConcurrentJobModificationException} for some, having saved the rest
   */
  SaveTogether(Consumer<List<Job>> save) {
    this.save = save;
  }

  /** Returns when the job is saved, or throws why it is not. */
  void save(Job job) {
    var mine = new Waiting(job);
    waiting.add(mine);
    while (!mine.isDone()) {
      lock.lock();
      try {
        if (!mine.isDone()) {
          saveBatch();
        }
      } finally {
        lock.unlock();
      }
    }
    mine.rethrow();
  }

  private void saveBatch() {
    var batch = new ArrayList<Waiting>();
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      batch.add(next);
      if (batch.size() == BATCH) {
        break;
      }
    }
    try {
      save.accept(batch.stream().map(one -> one.job).toList());
      batch.forEach(one -> one.done(null));
    } catch (ConcurrentJobModificationException some) {
      tell(batch, some);
    } catch (RuntimeException all) {
      batch.forEach(one -> one.done(all));
    } catch (Error broken) {
      batch.forEach(one -> one.done(new StorageException(broken)));
      throw broken;
    }
  }

  private static void tell(List<Waiting> batch, ConcurrentJobModificationException some) {
    Set<UUID> failed =
        some.getConcurrentUpdatedJobs().stream()
            .map(Job::getId)
            .collect(Collectors.toCollection(HashSet::new));
    for (Waiting one : batch) {
      one.done(
          failed.contains(one.job.getId())
              ? new ConcurrentJobModificationException(one.job)
              : null);
    }
  }

  private static final class Waiting {
    private final Job job;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

    Waiting(Job job) {
      this.job = job;
    }

    void done(@Nullable RuntimeException why) {
      failure = why;
      done = true;
    }

    boolean isDone() {
      return done;
    }

    void rethrow() {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
