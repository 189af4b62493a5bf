package dev.coatcheck.app;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tool.ToolCallId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Moves jobs behind the app's back, as a worker would: no worker runs in these tests. */
public record Jobs(JdbcClient sql) {
  void end(String id, String status) {
    sql.sql(
            """
            update job set status = :status, started_at = now(), ended_at = now(),
              epoch = epoch + 1 where id = :id
            """)
        .param("status", status)
        .param("id", UUID.fromString(id))
        .update();
  }

  /** Completed, with that assistant message. */
  public void complete(String id, String message) {
    sql.sql(
            """
            insert into turn (job_id, number, tenant_id, attempt, message, finish_reason)
            select id, 1, tenant_id, 1, :message, 'stop' from job where id = :id
            """)
        .param("message", message.getBytes(StandardCharsets.UTF_8))
        .param("id", UUID.fromString(id))
        .update();
    end(id, "completed");
    set(id, "finish_reason = 'stop'");
  }

  /** Sets columns of the job by a piece of SQL. */
  void set(String id, String assignments) {
    sql.sql("update job set " + assignments + " where id = :id")
        .param("id", UUID.fromString(id))
        .update();
  }

  /** Adds an attempt whose further columns are a piece of SQL. */
  void attempt(String id, int number, String state, String assignments) {
    sql.sql(
            """
            insert into attempt (job_id, number, tenant_id, turn, epoch, state)
            select id, :number, tenant_id, 1, epoch, :state from job where id = :id
            """)
        .param("number", number)
        .param("state", state)
        .param("id", UUID.fromString(id))
        .update();
    sql.sql("update attempt set " + assignments + " where job_id = :id and number = :number")
        .param("id", UUID.fromString(id))
        .param("number", number)
        .update();
  }

  /** Adds a call of the first turn. */
  void call(String id, int ordinal, String state, String safety) {
    sql.sql(
            """
            insert into tool_call (job_id, turn, ordinal, tenant_id, id, effect_key,
              provider_call_id, name, arguments, safety, state, epoch, sends)
            select id, 1, :ordinal, tenant_id, :call, 'e-' || :ordinal, '"c"', 'refund',
              :arguments, :safety, :state, 3, 1
            from job where id = :id
            """)
        .param("id", UUID.fromString(id))
        .param("ordinal", ordinal)
        .param("call", callId(id, ordinal).value())
        .param("arguments", "{\"a\": 1.0}".getBytes(StandardCharsets.UTF_8))
        .param("safety", safety)
        .param("state", state)
        .update();
  }

  static ToolCallId callId(String id, int ordinal) {
    return ToolCallId.of(new JobId(UUID.fromString(id)), 1, ordinal);
  }

  /** Appends an event, as a worker's statements do, and tells nobody. */
  public void append(String id, String type, String data) {
    sql.sql(
            """
            with raised as (
              update job set events = events + 1 where id = :id returning id, tenant_id, events)
            insert into event (job_id, number, tenant_id, type, data)
            select id, events, tenant_id, :type, :data from raised
            """)
        .param("id", UUID.fromString(id))
        .param("type", type)
        .param("data", data)
        .update();
  }

  /** Tells the web tier that there are events, as the notifier does. */
  public void tellOfEvents(String id) {
    sql.sql("select pg_notify('coatcheck_appended', :id)")
        .param("id", id)
        .query((row, number) -> true)
        .single();
  }

  /** Tells the web tier, as the notifier does. */
  public void tell(String id) {
    sql.sql("select pg_notify('coatcheck_changed', :id)")
        .param("id", id)
        .query((row, number) -> true)
        .single();
  }
}
