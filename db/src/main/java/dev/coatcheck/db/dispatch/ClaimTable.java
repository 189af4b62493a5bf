package dev.coatcheck.db.dispatch;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.storage.StorageException;
import org.jobrunr.storage.navigation.AmountRequest;
import org.jobrunr.storage.sql.common.JobTable;
import org.jobrunr.storage.sql.postgres.PostgresDialect;

/** JobRunr's table, of which a claim takes dispatches of one kind alone, the oldest first. */
final class ClaimTable extends JobTable {
  private final ReadDispatches rows;

  ClaimTable(Connection connection, JobMapper mapper, LongAdder setAside) {
    super(connection, new PostgresDialect(), null, mapper);
    this.rows = new ReadDispatches(connection, mapper, setAside);
  }

  @Override
  public List<Job> selectJobsToProcess(AmountRequest amount) {
    DispatchKind kind = DispatchKind.current();
    String sql =
        switch (kind) {
          case RUN ->
              """
              select id, version, jobAsJson from jobrunr_jobs
              where state = 'ENQUEUED'
                and jobSignature <> 'dev.coatcheck.db.dispatch.DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)'
              order by updatedAt limit ? for update skip locked
              """;
          case DELIVERY ->
              """
              select id, version, jobAsJson from jobrunr_jobs
              where state = 'ENQUEUED'
                and jobSignature = 'dev.coatcheck.db.dispatch.DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)'
              order by updatedAt limit ? for update skip locked
              """;
        };
    try {
      return rows.read(sql, amount.getLimit(), StateName.ENQUEUED, Set.of(kind));
    } catch (SQLException e) {
      throw new StorageException(e);
    }
  }
}
