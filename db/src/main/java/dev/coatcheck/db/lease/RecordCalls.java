package dev.coatcheck.db.lease;

import dev.coatcheck.db.json.AsciiJson;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.step.NewToolCall;
import dev.coatcheck.db.step.TurnRecord;
import java.util.Base64;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the tool calls of a turn, inside the transaction that records it. */
final class RecordCalls {
  /** Characters of a name that are kept; tools' own names are shorter. */
  private static final int MAX_NAME = 128;

  private final EngineDatabase database;

  RecordCalls(EngineDatabase database) {
    this.database = database;
  }

  void insert(Lease lease, TurnRecord turn) {
    database
        .sql()
        .sql(
            """
            insert into tool_call (job_id, turn, ordinal, tenant_id, id, effect_key,
              provider_call_id, name, arguments, safety, state, error, ended_at)
            select :job, :turn, call.ordinal, :tenant, call.id, call.effect_key,
              call.provider_id, call.name, decode(call.arguments, 'base64'), call.safety,
              call.state, call.error, case when call.state in ('failed', 'not_run') then now() end
            from json_to_recordset(cast(:calls as json)) as call(ordinal smallint, id uuid,
              effect_key text, provider_id text, name text, arguments text, safety text,
              state text, error text)
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("turn", turn.number())
        .param("calls", json(turn))
        .update();
  }

  private static String json(TurnRecord turn) {
    return turn.calls().stream().map(RecordCalls::json).collect(Collectors.joining(",", "[", "]"));
  }

  private static String json(NewToolCall call) {
    return """
        {"ordinal":%d,"id":"%s","effect_key":"%s","provider_id":%s,"name":%s,"arguments":"%s",\
        "safety":%s,"state":"%s","error":%s}"""
        .formatted(
            call.place().ordinal(),
            call.place().id(),
            call.effectKey(),
            AsciiJson.quote(AsciiJson.quote(call.providerId())),
            quoted(cut(call.name())),
            Base64.getEncoder().encodeToString(call.arguments()),
            quoted(call.safety() == null ? null : call.safety().text()),
            call.state().text(),
            quoted(call.error()));
  }

  private static String cut(String name) {
    return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME);
  }

  private static String quoted(@Nullable String text) {
    String storable = Texts.storable(text);
    return storable == null ? "null" : AsciiJson.quote(storable);
  }
}
