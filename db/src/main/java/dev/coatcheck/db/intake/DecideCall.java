package dev.coatcheck.db.intake;

import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.db.call.WakeJob;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.Texts;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.ToolCallId;
import dev.coatcheck.db.tool.ToolSafety;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Takes decisions about tool calls: approvals, outputs, resolutions. The job's row is locked over
 * each, so that of two at once one wins, and the job is on its way in the same transaction.
 */
public final class DecideCall {
  private final WebDatabase database;
  private final WakeJob wake;
  private final InTime inTime;

  DecideCall(WebDatabase database, WakeJob wake, InTime inTime) {
    this.database = database;
    this.wake = wake;
    this.inTime = inTime;
  }

  /**
   * Any number of times with one content: decided once.
   *
   * @param id empty for what is no call's id
   * @throws DatabaseAway when it is not known whether it was decided
   */
  public Decided decide(TenantId tenant, JobId job, Optional<ToolCallId> id, Decision decision) {
    var decided = new AtomicReference<>(Decided.NO_JOB);
    return inTime.get(
        () -> {
          wake.after(
              job,
              tenant,
              () -> {
                Optional<Call> call = id.flatMap(known -> find(tenant, job, known));
                boolean changes =
                    call.isPresent() && write(call.get(), decision, parameters(tenant, job, id));
                decided.set(
                    changes
                        ? Decided.YES
                        : call.map(known -> earlier(known, decision)).orElse(Decided.NO_CALL));
                return changes;
              });
          return decided.get();
        });
  }

  /** A call as it stands, and what was decided about it. */
  private record Call(
      CallState state,
      @Nullable ToolSafety safety,
      @Nullable String approval,
      @Nullable String outcome,
      Bytes approvalHash,
      Bytes outcomeHash) {}

  private record Bytes(byte @Nullable [] value) {
    boolean is(byte[] other) {
      return Arrays.equals(value, other);
    }
  }

  private Optional<Call> find(TenantId tenant, JobId job, ToolCallId id) {
    return database
        .sql()
        .sql(
            """
            select state, safety, approval, outcome, approval_hash, outcome_hash from tool_call
            where job_id = :job and tenant_id = :tenant and id = :id
            """)
        .param("job", job.value())
        .param("tenant", tenant.value())
        .param("id", id.value())
        .query(
            (row, number) ->
                new Call(
                    CallState.of(row.getString("state")),
                    Optional.ofNullable(row.getString("safety"))
                        .flatMap(ToolSafety::of)
                        .orElse(null),
                    row.getString("approval"),
                    row.getString("outcome"),
                    new Bytes(row.getBytes("approval_hash")),
                    new Bytes(row.getBytes("outcome_hash"))))
        .optional();
  }

  private static MapSqlParameterSource parameters(
      TenantId tenant, JobId job, Optional<ToolCallId> id) {
    return new MapSqlParameterSource("job", job.value())
        .addValue("tenant", tenant.value())
        .addValue("id", id.map(ToolCallId::value).orElse(null));
  }

  private boolean write(Call call, Decision decision, MapSqlParameterSource parameters) {
    return switch (decision) {
      case Decision.Approve _ ->
          call.state() == CallState.AWAITING_APPROVAL
              && approve(
                  parameters
                      .addValue("approval", "approve")
                      .addValue("error", null)
                      .addValue(
                          "state",
                          call.safety() == ToolSafety.CLIENT ? "awaiting_output" : "pending")
                      .addValue("hash", hash(decision)));
      case Decision.Deny deny ->
          call.state() == CallState.AWAITING_APPROVAL
              && approve(
                  parameters
                      .addValue("approval", "deny")
                      .addValue("error", denied(deny.reason()))
                      .addValue("state", "denied")
                      .addValue("hash", hash(decision)));
      case Decision.Output output ->
          call.state() == CallState.AWAITING_OUTPUT
              && finish(result(parameters, output.result()), "output", hash(decision));
      case Decision.Failed failed ->
          call.state() == CallState.AWAITING_OUTPUT
              && finish(failure(parameters, failed.error()), "output", hash(decision));
      case Decision.Done done ->
          call.state() == CallState.IN_DOUBT
              && finish(result(parameters, done.result()), "resolve", hash(decision));
      case Decision.NotDone _ ->
          call.state() == CallState.IN_DOUBT && repeat(parameters.addValue("hash", hash(decision)));
    };
  }

  private static @Nullable String denied(String reason) {
    String words = reason.isBlank() ? "" : ": " + reason;
    return Texts.storable("A person denied this call" + words);
  }

  private static MapSqlParameterSource result(MapSqlParameterSource parameters, CallResult result) {
    byte[] bytes = result.bytes().orElse(null);
    return parameters
        .addValue("state", "done")
        .addValue("result", bytes)
        .addValue("result_kind", bytes == null ? null : result.kind().column())
        .addValue("error", null);
  }

  private static MapSqlParameterSource failure(MapSqlParameterSource parameters, String error) {
    return parameters
        .addValue("state", "failed")
        .addValue("result", null)
        .addValue("result_kind", null)
        .addValue("error", Texts.storable(error));
  }

  /** Of a call that a person looked at; a denied one is over, and its job is told. */
  private boolean approve(MapSqlParameterSource parameters) {
    return database
            .sql()
            .sql(
                """
                with told as (
                  update job
                  set events = events + case when :state = 'denied' then 1 else 0 end
                  where id = :job and tenant_id = :tenant and ended_at is null
                  returning id, tenant_id, events),
                event as (
                  insert into event (job_id, number, tenant_id, type, data)
                  select told.id, told.events, told.tenant_id, 'tool.ended',
                    event_of_call(tool_call, :state)
                  from told
                  join tool_call on tool_call.job_id = told.id and tool_call.tenant_id = told.tenant_id
                    and tool_call.id = :id
                  where :state = 'denied')
                update tool_call
                set state = :state, approval = :approval, approval_hash = :hash, decided_at = now(),
                    error = :error, ended_at = case when :state = 'denied' then now() end
                from told
                where tool_call.job_id = told.id and tool_call.tenant_id = told.tenant_id
                  and tool_call.id = :id and tool_call.state = 'awaiting_approval'
                """)
            .paramSource(parameters)
            .update()
        == 1;
  }

  private boolean finish(MapSqlParameterSource parameters, String outcome, byte[] hash) {
    return database
            .sql()
            .sql(
                """
                with told as (
                  update job set events = events + 1
                  where id = :job and tenant_id = :tenant and ended_at is null
                  returning id, tenant_id, events),
                event as (
                  insert into event (job_id, number, tenant_id, type, data)
                  select told.id, told.events, told.tenant_id, 'tool.ended',
                    event_of_call(tool_call, :state)
                  from told
                  join tool_call on tool_call.job_id = told.id and tool_call.tenant_id = told.tenant_id
                    and tool_call.id = :id)
                update tool_call
                set state = :state, result = :result, result_kind = :result_kind, error = :error,
                    outcome = :outcome, outcome_hash = :hash, decided_at = now(), ended_at = now()
                from told
                where tool_call.job_id = told.id and tool_call.tenant_id = told.tenant_id
                  and tool_call.id = :id
                  and tool_call.state = case when :outcome = 'output' then 'awaiting_output' else 'in_doubt' end
                """)
            .paramSource(parameters.addValue("outcome", outcome).addValue("hash", hash))
            .update()
        == 1;
  }

  /** As if it had never been sent; the effect key stays. */
  private boolean repeat(MapSqlParameterSource parameters) {
    return database
            .sql()
            .sql(
                """
                update tool_call
                set state = 'pending', epoch = null, sends = 0, reply_lost = false, error = null,
                    wake_at = null, outcome = 'resolve', outcome_hash = :hash, decided_at = now()
                from job
                where job.id = :job and job.tenant_id = :tenant and job.ended_at is null
                  and tool_call.job_id = job.id and tool_call.tenant_id = job.tenant_id
                  and tool_call.id = :id and tool_call.state = 'in_doubt'
                """)
            .paramSource(parameters)
            .update()
        == 1;
  }

  private static Decided earlier(Call call, Decision decision) {
    byte[] hash = hash(decision);
    boolean isSame =
        switch (decision) {
          case Decision.Approve _ ->
              "approve".equals(call.approval()) && call.approvalHash().is(hash);
          case Decision.Deny _ -> "deny".equals(call.approval()) && call.approvalHash().is(hash);
          case Decision.Output _, Decision.Failed _ ->
              "output".equals(call.outcome()) && call.outcomeHash().is(hash);
          case Decision.Done _, Decision.NotDone _ ->
              "resolve".equals(call.outcome()) && call.outcomeHash().is(hash);
        };
    return isSame ? Decided.YES : Decided.OTHERWISE;
  }

  private static byte[] hash(Decision decision) {
    return Fingerprint.sha256(
        switch (decision) {
          case Decision.Approve _ -> utf8("approve");
          case Decision.Deny deny -> utf8("deny " + deny.reason());
          case Decision.Output output -> output.content();
          case Decision.Failed failed -> utf8("failed " + failed.error());
          case Decision.Done done -> done.content();
          case Decision.NotDone _ -> utf8("not done");
        });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
