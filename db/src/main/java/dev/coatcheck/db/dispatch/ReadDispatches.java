package dev.coatcheck.db.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobDetails;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.FailedState;
import org.jobrunr.jobs.states.StateName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads rows of JobRunr's table that are dispatches of ours. A row is as good as code, since it
 * names the method that JobRunr is to call. So any other row, and one that cannot be read, is set
 * aside as FAILED, and the rest of its page goes its way.
 */
final class ReadDispatches {
  private static final Logger log = LoggerFactory.getLogger(ReadDispatches.class);

  /** What the dashboard says of a row that was set aside. */
  static final String NOT_OURS = "not_a_dispatch";

  private static final JsonMapper PLAIN = JsonMapper.shared();

  private final Connection connection;
  private final JobMapper mapper;
  private final LongAdder setAside;

  /**
   * @param setAside counts
   */
  ReadDispatches(Connection connection, JobMapper mapper, LongAdder setAside) {
    this.connection = connection;
    this.mapper = mapper;
    this.setAside = setAside;
  }

  private record Row(String id, int version, String json) {}

  /**
   * @param sql selects {@code id, version, jobAsJson}, locked, and takes the most rows as its
   *     parameter
   * @param state of all of them
   */
  List<Job> read(String sql, int most, StateName state, Set<DispatchKind> kinds)
      throws SQLException {
    var jobs = new ArrayList<Job>();
    for (Row row : rows(sql, most)) {
      try {
        jobs.add(read(row, state, kinds));
      } catch (RuntimeException e) {
        // Its text may quote the row.
        log.warn(
            "dispatch {} is none of ours and is set aside: {}", row.id, e.getClass().getName());
        setAside(row);
      }
    }
    return jobs;
  }

  private List<Row> rows(String sql, int most) throws SQLException {
    var found = new ArrayList<Row>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, most);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(new Row(rows.getString(1), rows.getInt(2), rows.getString(3)));
        }
      }
    }
    return found;
  }

  private Job read(Row row, StateName state, Set<DispatchKind> kinds) {
    var details = PLAIN.readTree(row.json).path("jobDetails");
    if (kinds.stream().noneMatch(kind -> kind.is(details))) {
      throw new IllegalArgumentException("it is of no kind that is expected");
    }
    Job job = mapper.deserializeJob(row.json);
    if (!job.getId().toString().equals(row.id)
        || job.getVersion() != row.version
        || job.getState() != state) {
      throw new IllegalArgumentException("it is not what its columns say");
    }
    return job;
  }

  /** What takes its place can be looked at, and run again without harm. */
  private void setAside(Row row) throws SQLException {
    UUID id = idOf(row);
    int version = row.version + 1;
    var failed =
        new Job(
            id,
            version,
            new JobDetails(new RunDispatch(id, 0)),
            List.of(new FailedState("set aside", new DispatchFailed(NOT_OURS))),
            new ConcurrentHashMap<>());
    failed.setJobName(NOT_OURS);
    String sql =
        """
        update jobrunr_jobs
        set state = 'FAILED', version = ?, jobAsJson = ?, scheduledAt = null,
            updatedAt = now() at time zone 'UTC'
        where id = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, version);
      statement.setString(2, mapper.serializeJob(failed));
      statement.setString(3, row.id);
      statement.executeUpdate();
    }
    setAside.increment();
  }

  private static UUID idOf(Row row) {
    try {
      return UUID.fromString(row.id);
    } catch (IllegalArgumentException e) {
      return UUID.nameUUIDFromBytes(row.id.getBytes(UTF_8));
    }
  }
}
