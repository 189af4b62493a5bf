package dev.coatcheck.db.lease;

import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.attempt.TokenUsage;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The parameters of statements that close an attempt under a lease. */
final class AttemptParameters extends MapSqlParameterSource {
  AttemptParameters(Lease lease, @Nullable AttemptEnd end) {
    addValue("job", lease.job().value());
    addValue("tenant", lease.tenant().value());
    addValue("epoch", lease.epoch().value());
    addValue("number", end == null ? null : end.number());
    addValue("state", end == null ? null : end.state());
    addValue("counted", end == null || end.counts() == AttemptEnd.Counts.YES);
    addValue("billed", end == null ? null : end.billed());
    addCause(end == null ? null : end.cause());
    addReceipt(end == null ? null : end.receipt());
    addUsage(end == null ? null : end.usage());
  }

  AttemptParameters with(String name, @Nullable Object value) {
    addValue(name, value);
    return this;
  }

  private void addCause(AttemptEnd.@Nullable Cause cause) {
    addValue("error_code", cause == null ? null : cause.errorCode());
    addValue("provider_code", cause == null ? null : Texts.storable(cause.providerCode()));
    addValue(
        "retry_after_ms",
        cause == null || cause.retryAfter() == null ? null : cause.retryAfter().toMillis());
  }

  private void addReceipt(AttemptEnd.@Nullable Receipt receipt) {
    addValue("http_status", receipt == null ? null : receipt.httpStatus());
    addValue("request_id", receipt == null ? null : Texts.storable(receipt.requestId()));
    addValue("bytes", receipt == null ? null : receipt.bytes());
    addValue("duration_ms", receipt == null ? null : receipt.duration().toMillis());
  }

  private void addUsage(@Nullable TokenUsage usage) {
    addValue("usage_input", usage == null ? null : usage.input());
    addValue("usage_input_cached", usage == null ? null : usage.inputCached());
    addValue("usage_cache_write", usage == null ? null : usage.cacheWrite());
    addValue("usage_output", usage == null ? null : usage.output());
    addValue("usage_reasoning", usage == null ? null : usage.reasoning());
    addValue("usage_json", usage == null ? null : usage.json());
  }
}
