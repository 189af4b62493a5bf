package dev.coatcheck.db.lease;

import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.EngineDatabase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up how a job ended whose lease was lost, for its dispatch to show. */
public final class FindEnd {
  private final EngineDatabase database;

  public FindEnd(EngineDatabase database) {
    this.database = database;
  }

  /**
   * @param errorCode {@code error.code} of the API
   */
  public record End(JobStatus status, @Nullable String errorCode) {}

  /** Empty while the job is open. */
  public Optional<End> find(Lease lease) {
    return database
        .sql()
        .sql(
            """
            select status, error_code from job
            where id = :job and tenant_id = :tenant and ended_at is not null
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .query((row, index) -> new End(JobStatus.of(row.getString(1)), row.getString(2)))
        .optional();
  }
}
