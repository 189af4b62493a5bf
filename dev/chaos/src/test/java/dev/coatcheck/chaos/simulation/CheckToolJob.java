package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.intake.Decided;
import dev.coatcheck.db.tool.ToolSafety;
import java.util.ArrayList;
import java.util.List;

/** Holds the tool calls of a job against the ledgers outside of the database. */
final class CheckToolJob {
  private final ToolSafety safety;
  private final Evidence evidence;
  private final List<String> broken = new ArrayList<>();

  CheckToolJob(ToolSafety safety, Evidence evidence) {
    this.safety = safety;
    this.evidence = evidence;
  }

  /** A call as its row has it; how often it had its effect is counted elsewhere. */
  private record Row(
      String step, String state, String effectKey, String outcome, String result, String job) {
    boolean isDoneByItself() {
      return state.equals("done") && outcome.isEmpty();
    }
  }

  List<String> all() {
    List<Row> rows = rows();
    for (Row row : rows) {
      checkKey(row);
      checkClaim(row);
      switch (safety) {
        case READ_ONLY -> checkReadOnly(row);
        case KEYED -> checkKeyed(row);
        case AT_MOST_ONCE -> checkAtMostOnce(row);
        case TRANSACTIONAL -> checkTransactional(row);
        case CLIENT -> checkClient(row);
      }
    }
    checkJob(rows);
    return broken;
  }

  private List<Row> rows() {
    return evidence
        .database()
        .sql(
            """
            select convert_from(tool_call.arguments, 'UTF8')::json ->> 'step', tool_call.state,
              tool_call.effect_key, coalesce(tool_call.outcome, ''),
              coalesce(convert_from(tool_call.result, 'UTF8'), ''), job.status
            from tool_call join job on job.id = tool_call.job_id
            where job.idempotency_key = ? order by tool_call.turn, tool_call.ordinal
            """)
        .param(evidence.marker())
        .query(
            (row, number) ->
                new Row(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6)))
        .list();
  }

  private void add(Row row, String what) {
    broken.add(
        "%s %s, sent as %s, said %s: %s"
            .formatted(
                row,
                safety.text(),
                evidence.effects().of(row.step),
                evidence.people().said(row.step),
                what));
  }

  /** One effect key a call, at whichever sending and in whichever run. */
  private void checkKey(Row row) {
    if (evidence.effects().of(row.step).stream()
        .anyMatch(send -> !send.effectKey().equals(row.effectKey))) {
      add(row, "it was sent under another effect key");
    }
  }

  /** I6: whoever is killed while a tool works leaves a claim behind. */
  private void checkClaim(Row row) {
    if (!evidence.effects().of(row.step).stream().allMatch(Effects.Send::isClaimed)) {
      add(row, "it was sent before its claim");
    }
  }

  private void checkReadOnly(Row row) {
    mustHaveBeenAnswered(row);
    mustNotBeInDoubt(row);
  }

  /** I4: the tool has one effect a key, and a call that is done was received. */
  private void checkKeyed(Row row) {
    mustHaveBeenAnswered(row);
    long keys =
        evidence.effects().of(row.step).stream()
            .filter(send -> send.call().isReceived())
            .map(Effects.Send::effectKey)
            .distinct()
            .count();
    if (keys > 1) {
      add(row, "it had " + keys + " effects");
    }
  }

  /** I5: received once at most; in doubt if, and only if, its outcome is unknown. */
  private void checkAtMostOnce(Row row) {
    mustHaveBeenAnswered(row);
    List<Call> received = received(row);
    if (received.size() > 1) {
      add(row, "it was received " + received.size() + " times");
    }
    boolean isUnknown =
        received.stream().anyMatch(call -> !call.isDelivered() || call.kind() == Reply.Kind.REFUSE);
    boolean isTold = row.isDoneByItself() || row.state.equals("failed");
    if (isUnknown && isTold) {
      add(row, "its outcome is unknown, and it is not in doubt");
    }
  }

  /** I4: as many effects as the row says that it has. */
  private void checkTransactional(Row row) {
    var keys =
        evidence
            .database()
            .sql("select effect_key from sim.effect where step = ?")
            .param(row.step)
            .query((effect, number) -> effect.getString(1))
            .list();
    var due = row.state.equals("done") ? List.of(row.effectKey) : List.of();
    if (!keys.equals(due)) {
      add(row, "it had effects under " + keys);
    }
    mustNotBeInDoubt(row);
  }

  /** What was accepted is one thing, and it is what the model is told. */
  private void checkClient(Row row) {
    List<String> accepted =
        evidence.people().said(row.step).stream()
            .filter(said -> said.decided() == Decided.YES)
            .map(People.Said::content)
            .distinct()
            .toList();
    if (accepted.size() > 1) {
      add(row, "both were accepted");
    }
    if (row.state.equals("done") && !accepted.isEmpty() && !accepted.equals(List.of(row.result))) {
      add(row, "another output was accepted");
    }
    if (!row.state.equals("done") && !accepted.isEmpty()) {
      add(row, "an output was accepted and is gone");
    }
    mustNotBeInDoubt(row);
  }

  private List<Call> received(Row row) {
    return evidence.effects().of(row.step).stream()
        .map(Effects.Send::call)
        .filter(Call::isReceived)
        .toList();
  }

  private void mustHaveBeenAnswered(Row row) {
    boolean isAnswered =
        received(row).stream()
            .anyMatch(call -> call.isDelivered() && call.kind() == Reply.Kind.ANSWER);
    if (row.isDoneByItself() && !isAnswered) {
      add(row, "it is done, and its tool has not answered");
    }
  }

  private void mustNotBeInDoubt(Row row) {
    if (row.state.equals("in_doubt") || row.outcome.equals("resolve")) {
      add(row, "it was in doubt");
    }
  }

  private void checkJob(List<Row> rows) {
    for (Row row : rows) {
      boolean isOver = List.of("done", "failed").contains(row.state);
      if (row.job.equals("completed") && !isOver) {
        add(row, "its job is completed, and it is not over");
      }
    }
    if (rows.size() != 3 && rows.stream().anyMatch(row -> row.job.equals("completed"))) {
      broken.add("completed with the calls " + rows);
    }
    evidence
        .database()
        .sql(
            """
            select 'expired in spite of plenty of time' from job
            where idempotency_key = ? and status = 'expired'
              and deadline_at > created_at + interval '9 minutes'
            """)
        .param(evidence.marker())
        .query((row, number) -> row.getString(1))
        .list()
        .forEach(broken::add);
  }
}
