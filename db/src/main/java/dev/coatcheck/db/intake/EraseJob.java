package dev.coatcheck.db.intake;

import dev.coatcheck.db.erase.EraseContent;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.util.List;
import java.util.Optional;

/** Erases an ended job's content because its caller says so. */
public final class EraseJob {
  private final WebDatabase database;
  private final EraseContent content;
  private final InTime inTime;

  EraseJob(WebDatabase database, InTime inTime) {
    this.database = database;
    this.content = new EraseContent(database.sql());
    this.inTime = inTime;
  }

  /** What became of it. */
  public enum Erased {
    /** There is no content any more. */
    YES,
    /** The job has not ended. */
    NOT_ENDED,
    /** The tenant has no such job. */
    UNKNOWN
  }

  /**
   * Erases, any number of times.
   *
   * @throws DatabaseAway when it is not known whether the content is erased
   */
  public Erased erase(TenantId tenant, JobId id) {
    return inTime.get(() -> database.transaction().execute(status -> inTransaction(tenant, id)));
  }

  private Erased inTransaction(TenantId tenant, JobId id) {
    Optional<JobStatus> status =
        database
            .sql()
            .sql("select status from job where tenant_id = :tenant and id = :id for update")
            .param("tenant", tenant.value())
            .param("id", id.value())
            .query((row, number) -> JobStatus.of(row.getString("status")))
            .optional();
    if (status.isEmpty()) {
      return Erased.UNKNOWN;
    }
    if (status.get().isOpen()) {
      return Erased.NOT_ENDED;
    }
    content.erase(List.of(id));
    return Erased.YES;
  }
}
