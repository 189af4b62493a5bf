package dev.coatcheck.db.lease;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Reads a job's row as the dispatch that would come next. */
final class NextDispatch {
  private NextDispatch() {}

  static Dispatch read(ResultSet job) throws SQLException {
    return new Dispatch(
        new JobId(job.getObject("id", UUID.class)),
        job.getInt("dispatch_no") + 1,
        job.getString("model"),
        job.getString("idempotency_key"),
        new TenantId(job.getString("tenant_id")),
        job.getString("provider"));
  }
}
