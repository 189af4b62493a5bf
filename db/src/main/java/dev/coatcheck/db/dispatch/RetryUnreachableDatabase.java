package dev.coatcheck.db.dispatch;

import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.filters.RetryFilter;

/**
 * JobRunr's only retries: a handler that could not reach the database, or was interrupted, runs
 * again a second later. It spends no attempt, since a run that did reach it ends without an
 * exception or with one that forbids a retry.
 */
final class RetryUnreachableDatabase extends RetryFilter {
  private static final int MOST = 50;

  RetryUnreachableDatabase() {
    super(MOST);
  }

  @Override
  protected long getSecondsToAdd(Job job) {
    return 1;
  }
}
