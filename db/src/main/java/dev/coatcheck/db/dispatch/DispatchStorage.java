package dev.coatcheck.db.dispatch;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.ConcurrentJobModificationException;
import org.jobrunr.storage.StorageException;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.navigation.AmountRequest;
import org.jobrunr.storage.sql.common.JobTable;
import org.jobrunr.storage.sql.common.db.Transaction;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * JobRunr's PostgreSQL storage with three differences: a save joins the transaction of the thread,
 * a claim takes no more than there are free slots, and jobs that are due are left to the {@link
 * Promoter}. Everything else is inherited.
 */
public final class DispatchStorage extends PostgresStorageProvider {
  /** Claimed in one transaction; a larger claim delays the first start. */
  static final int CLAIM_PAGE = 150;

  /** How late the promoter must be before JobRunr's own task steps in. */
  static final Duration PROMOTER_GRACE = Duration.ofSeconds(10);

  private final JobMapper mapper;
  private final Slots slots;
  private final InstantSource clock;
  private final SaveTogether ended = new SaveTogether(this::save);
  private final LongAdder setAside = new LongAdder();
  private volatile boolean lastClaimWasFull;
  private volatile @Nullable Waker claimer;

  /**
   * @param slots what claims are bounded by; a process that runs nothing passes none
   */
  public DispatchStorage(
      DataSource dataSource, JobMapper mapper, Slots slots, InstantSource clock) {
    super(dataSource, null, DatabaseOptions.SKIP_CREATE);
    this.mapper = mapper;
    this.slots = slots;
    this.clock = clock;
    setJobMapper(mapper);
  }

  @Override
  public Job save(Job job) {
    if (TransactionSynchronizationManager.hasResource(dataSource)) {
      return join(job);
    }
    if (job.getState() == StateName.SUCCEEDED) {
      ended.save(job);
      return job;
    }
    return super.save(job);
  }

  private Job join(Job job) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return saveIn(connection, job);
    } catch (SQLException e) {
      throw new StorageException(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /** Saves a job whose id is new in the transaction of the thread, without a savepoint's cost. */
  void insert(Job job) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      jobTable(connection).save(job);
    } catch (SQLException e) {
      throw new StorageException(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /** A duplicate must not spoil the transaction it is found in, so each save has a savepoint. */
  private Job saveIn(Connection connection, Job job) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      Job saved = jobTable(connection).save(job);
      connection.releaseSavepoint(before);
      return saved;
    } catch (ConcurrentJobModificationException duplicate) {
      connection.rollback(before);
      throw duplicate;
    }
  }

  /**
   * Leaves all claims to the waker: each run that ends would look for one more, where one look can
   * claim for many.
   */
  void claimBy(Waker waker) {
    claimer = waker;
  }

  @Override
  public List<Job> getJobsToProcess(BackgroundJobServer server, AmountRequest request) {
    Waker waker = claimer;
    if (waker != null && !waker.isThisThread()) {
      waker.signal();
      return List.of();
    }
    return claim(server, request);
  }

  private List<Job> claim(BackgroundJobServer server, AmountRequest request) {
    Slots kind = slots.of(DispatchKind.current());
    int reserved = kind.reserve(Math.min(request.getLimit(), CLAIM_PAGE));
    int claimed = 0;
    try {
      if (reserved > 0) {
        List<Job> jobs =
            super.getJobsToProcess(server, new AmountRequest(request.getOrder(), reserved));
        claimed = jobs.size();
        return jobs;
      }
      return List.of();
    } finally {
      lastClaimWasFull = reserved > 0 && claimed == reserved;
      kind.giveBack(reserved - claimed);
    }
  }

  InstantSource clock() {
    return clock;
  }

  /** Rows that were no dispatches of ours. */
  long setAside() {
    return setAside.sum();
  }

  /** Whether there may be more of what was claimed last; said once. */
  boolean lastClaimWasFull() {
    boolean full = lastClaimWasFull;
    lastClaimWasFull = false;
    return full;
  }

  @Override
  protected JobTable jobTable(Connection connection) {
    return new ClaimTable(connection, mapper, setAside);
  }

  @Override
  public List<Job> getScheduledJobs(Instant before, AmountRequest request) {
    Instant latest = clock.instant().minus(PROMOTER_GRACE);
    return super.getScheduledJobs(before.isBefore(latest) ? before : latest, request);
  }

  /**
   * Enqueues dispatches that are due by the database's clock, the longest due first.
   *
   * @return how many, at most {@link #CLAIM_PAGE}
   */
  int promoteDue() {
    String due =
        """
        select id, version, jobAsJson from jobrunr_jobs
        where state = 'SCHEDULED' and scheduledAt <= clock_timestamp() at time zone 'UTC'
        order by scheduledAt limit ? for update skip locked
        """;
    try (Connection connection = dataSource.getConnection();
        Transaction transaction = new Transaction(connection)) {
      List<Job> jobs =
          new ReadDispatches(connection, mapper, setAside)
              .read(due, CLAIM_PAGE, StateName.SCHEDULED, EnumSet.allOf(DispatchKind.class));
      jobs.forEach(Job::enqueue);
      jobTable(connection).save(jobs);
      transaction.commit();
      return jobs.size();
    } catch (SQLException e) {
      throw new StorageException(e);
    }
  }

  /** How long until the next scheduled dispatch is due, by the database's clock; empty if none. */
  Optional<Duration> untilNextDue() {
    String next =
        """
        select extract(epoch from min(scheduledAt) - (clock_timestamp() at time zone 'UTC')) * 1000
        from jobrunr_jobs where state = 'SCHEDULED'
        """;
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(next);
        ResultSet row = statement.executeQuery()) {
      row.next();
      double millis = row.getDouble(1);
      return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis((long) millis));
    } catch (SQLException e) {
      throw new StorageException(e);
    }
  }
}
