package dev.coatcheck.chaos;

import dev.coatcheck.chaos.EffectLedger.Effect;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Compares what tool calls say with what tools did, in the ledgers where it happened. */
final class CheckEffects {
  private final Map<String, List<Instant>> remote;
  private final Map<String, Long> noted;
  private final List<Call> calls;

  private CheckEffects(
      Map<String, List<Instant>> remote, Map<String, Long> noted, List<Call> calls) {
    this.remote = remote;
    this.noted = noted;
    this.calls = calls;
  }

  private record Call(
      String key, String tool, String state, String effectKey, @Nullable Instant claimed) {}

  static CheckEffects read(EffectLedger ledger, JdbcClient database) {
    return new CheckEffects(
        ledger.effects().stream()
            .collect(
                Collectors.groupingBy(
                    Effect::effectKey, Collectors.mapping(Effect::at, Collectors.toList()))),
        noted(database),
        calls(database));
  }

  private static Map<String, Long> noted(JdbcClient database) {
    var found = new HashMap<String, Long>();
    database
        .sql("select effect_key, count(*) from chaos.effect group by 1")
        .query(
            row -> {
              found.put(row.getString(1), row.getLong(2));
            });
    return found;
  }

  private static List<Call> calls(JdbcClient database) {
    return database
        .sql(
            """
            select job.idempotency_key, tool_call.name, tool_call.state, tool_call.effect_key,
              tool_call.started_at
            from tool_call
            join job on job.id = tool_call.job_id and job.tenant_id = tool_call.tenant_id
            """)
        .query(
            (row, number) -> {
              var claimed = row.getObject(5, OffsetDateTime.class);
              return new Call(
                  row.getString(1),
                  row.getString(2),
                  row.getString(3),
                  row.getString(4),
                  claimed == null ? null : claimed.toInstant());
            })
        .list();
  }

  List<Check> all() {
    return List.of(
        check("I4", "keyed", "a keyed call that is done has one effect, any other one at most"),
        check("I4", "noted", "a transactional call has an effect exactly if it is done"),
        check("I5", "once", "an at-most-once call has one effect at most"),
        claimedFirst());
  }

  /** Both servers have the clock of this machine. */
  private Check claimedFirst() {
    var broken = new ArrayList<String>();
    int effects = 0;
    for (var call : calls) {
      for (var at : remote.getOrDefault(call.effectKey, List.of())) {
        effects++;
        if (call.claimed == null || at.isBefore(call.claimed)) {
          broken.add("an effect at %s of %s".formatted(at, call));
        }
      }
    }
    return new Check("I6", "an effect comes after its claim", effects + " effects", broken);
  }

  private Check check(String number, String tool, String promise) {
    var broken = new ArrayList<String>();
    long effects = 0;
    var some = calls.stream().filter(call -> call.tool.equals(tool)).toList();
    for (var call : some) {
      long count = count(call);
      effects += count;
      if (!holds(call, count)) {
        broken.add("%d effects of %s".formatted(count, call));
      }
    }
    return new Check(
        number, promise, "%d calls, %d effects".formatted(some.size(), effects), broken);
  }

  private long count(Call call) {
    return call.tool.equals("noted")
        ? noted.getOrDefault(call.effectKey, 0L)
        : remote.getOrDefault(call.effectKey, List.of()).size();
  }

  private static boolean holds(Call call, long effects) {
    boolean isDone = call.state.equals("done");
    return switch (call.tool) {
      case "keyed" -> isDone ? effects == 1 : effects <= 1;
      case "noted" -> effects == (isDone ? 1 : 0);
      default -> effects <= 1;
    };
  }
}
