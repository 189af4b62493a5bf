package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.json.RawJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads rows of the statements in this package. */
final class Row {
  /**
   * Of a job {@code j}, for {@link #job}; a statement adds {@code calls_total} and {@code message}.
   */
  static final String COLUMNS =
      """
      select j.id, j.status, j.model, j.provider, j.idempotency_key, j.metadata,
        now() as read_at, j.created_at, j.started_at, j.ended_at, j.deadline_at, j.erased_at,
        j.reason_code, j.reason_detail, j.wake_at, j.finish_reason, j.error_code,
        j.error_message, j.error_retryable, j.upstream_status, j.upstream_code, j.upstream_request_id,
        j.status = 'in_progress' and exists (
          select from tool_call c
          where c.job_id = j.id and c.tenant_id = :tenant and c.state in ('pending', 'running')) as runs_tools,
        u.*, l.*
      """;

  /** What its attempts sum up to, and the last one where it is in progress. */
  static final String ATTEMPTS =
      """
      left join lateral (
        select count(*) as attempts_total,
          coalesce(sum(a.usage_input), 0) as input,
          coalesce(sum(a.usage_input_cached), 0) as input_cached,
          coalesce(sum(a.usage_cache_write), 0) as cache_write,
          coalesce(sum(a.usage_output), 0) as output,
          coalesce(sum(a.usage_reasoning), 0) as reasoning
        from attempt a where a.job_id = j.id and a.tenant_id = :tenant) u on true
      left join lateral (
        select a.number as last_number, a.turn as last_turn, a.state as last_state,
          a.sent_at as last_sent_at, a.ended_at as last_ended_at,
          a.http_status as last_http_status, a.error_code as last_error_code,
          a.retry_after_ms as last_retry_after_ms, a.wait_until as last_wait_until,
          a.billed as last_billed
        from attempt a where a.job_id = j.id and a.tenant_id = :tenant
        order by a.number desc limit 1) l on j.status = 'in_progress'
      """;

  private Row() {}

  static JobView job(ResultSet row, int number) throws SQLException {
    return new JobView(
        new JobId(row.getObject("id", UUID.class)),
        JobStatus.of(row.getString("status")),
        request(row),
        times(row),
        waiting(row),
        end(row),
        usage(row),
        row.getLong("attempts_total"),
        List.of(),
        row.getLong("calls_total"),
        List.of(),
        json(row, "message"));
  }

  static AttemptView attempt(ResultSet row, int number) throws SQLException {
    return new AttemptView(
        row.getInt("number"),
        row.getInt("turn"),
        row.getString("state"),
        instant(row, "sent_at").orElseThrow(),
        instant(row, "ended_at"),
        new AttemptView.Reply(
            integer(row, "http_status"),
            text(row, "error_code"),
            longInteger(row, "retry_after_ms"),
            instant(row, "wait_until"),
            row.getString("billed"),
            text(row, "provider_request_id")));
  }

  private static JobView.Request request(ResultSet row) throws SQLException {
    return new JobView.Request(
        row.getString("model"),
        row.getString("provider"),
        row.getString("idempotency_key"),
        json(row, "metadata"));
  }

  private static JobView.Times times(ResultSet row) throws SQLException {
    return new JobView.Times(
        instant(row, "read_at").orElseThrow(),
        instant(row, "created_at").orElseThrow(),
        instant(row, "started_at"),
        instant(row, "ended_at"),
        instant(row, "deadline_at").orElseThrow(),
        instant(row, "erased_at"));
  }

  private static JobView.Waiting waiting(ResultSet row) throws SQLException {
    return new JobView.Waiting(
        text(row, "reason_code"),
        text(row, "reason_detail"),
        instant(row, "wake_at"),
        lastAttempt(row),
        row.getBoolean("runs_tools"));
  }

  private static Optional<AttemptView> lastAttempt(ResultSet row) throws SQLException {
    Optional<Integer> number = integer(row, "last_number");
    if (number.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new AttemptView(
            number.get(),
            row.getInt("last_turn"),
            row.getString("last_state"),
            instant(row, "last_sent_at").orElseThrow(),
            instant(row, "last_ended_at"),
            new AttemptView.Reply(
                integer(row, "last_http_status"),
                text(row, "last_error_code"),
                longInteger(row, "last_retry_after_ms"),
                instant(row, "last_wait_until"),
                row.getString("last_billed"),
                Optional.empty())));
  }

  private static JobView.End end(ResultSet row) throws SQLException {
    Optional<String> code = text(row, "error_code");
    return new JobView.End(
        text(row, "finish_reason"),
        code.isEmpty() ? Optional.empty() : Optional.of(failure(code.get(), row)));
  }

  private static JobView.JobFailure failure(String code, ResultSet row) throws SQLException {
    boolean stored = row.getBoolean("error_retryable");
    boolean retryable =
        row.wasNull() ? EndCode.of(code).map(EndCode::isRetryable).orElse(false) : stored;
    return new JobView.JobFailure(
        code,
        text(row, "error_message").orElse(""),
        retryable,
        new JobView.Upstream(
            integer(row, "upstream_status"),
            text(row, "upstream_code"),
            text(row, "upstream_request_id")));
  }

  private static JobView.Usage usage(ResultSet row) throws SQLException {
    return new JobView.Usage(
        row.getLong("input"),
        row.getLong("input_cached"),
        row.getLong("cache_write"),
        row.getLong("output"),
        row.getLong("reasoning"));
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Optional<Integer> integer(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? Optional.empty() : Optional.of(value);
  }

  private static Optional<Long> longInteger(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(value);
  }

  private static Optional<RawJson> json(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getBytes(column)).map(RawJson::of);
  }
}
