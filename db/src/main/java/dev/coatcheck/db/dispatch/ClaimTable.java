package dev.coatcheck.db.dispatch;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.storage.StorageException;
import org.jobrunr.storage.navigation.AmountRequest;
import org.jobrunr.storage.sql.common.JobTable;
import org.jobrunr.storage.sql.postgres.PostgresDialect;

/** JobRunr's table, of which a claim takes dispatches of one kind alone, the oldest first. */
final class ClaimTable extends JobTable {
  private final Connection connection;
  private final JobMapper mapper;

  ClaimTable(Connection connection, JobMapper mapper) {
    super(connection, new PostgresDialect(), null, mapper);
    this.connection = connection;
    this.mapper = mapper;
  }

  @Override
  public List<Job> selectJobsToProcess(AmountRequest amount) {
    String sql =
        switch (DispatchKind.current()) {
          case RUN ->
              """
              select jobAsJson from jobrunr_jobs
              where state = 'ENQUEUED'
                and jobSignature <> 'dev.coatcheck.db.dispatch.DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)'
              order by updatedAt limit ? for update skip locked
              """;
          case DELIVERY ->
              """
              select jobAsJson from jobrunr_jobs
              where state = 'ENQUEUED'
                and jobSignature = 'dev.coatcheck.db.dispatch.DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)'
              order by updatedAt limit ? for update skip locked
              """;
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, amount.getLimit());
      var jobs = new ArrayList<Job>();
      ResultSet rows = statement.executeQuery();
      while (rows.next()) {
        jobs.add(mapper.deserializeJob(rows.getString(1)));
      }
      return jobs;
    } catch (SQLException e) {
      throw new StorageException(e);
    }
  }
}
