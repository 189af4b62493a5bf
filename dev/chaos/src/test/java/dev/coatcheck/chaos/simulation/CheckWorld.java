package dev.coatcheck.chaos.simulation;

import dev.coatcheck.chaos.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Holds what is in the database and in the ledgers outside of it against what was promised. */
final class CheckWorld {
  private final World world;
  private final JdbcClient database;
  private final List<String> broken = new ArrayList<>();

  CheckWorld(World world) {
    this.world = world;
    this.database = world.lane.database.outside();
  }

  /** What is broken, one line each. */
  List<String> all() {
    int _ = database.sql("set coatcheck.grace = '2 seconds'").update();
    for (Invariant invariant : Invariant.values()) {
      invariant.broken(database).forEach(row -> add(invariant.number(), row));
    }
    for (Client client : world.clients()) {
      check(client);
    }
    for (Map.Entry<String, Scenario> one : world.scenarios().entrySet()) {
      check(one.getKey());
      one.getValue()
          .check(
              new Evidence(
                  one.getKey(),
                  world.ledger.of(one.getKey()),
                  world.effects,
                  world.people,
                  database))
          .forEach(line -> add("scenario", line));
    }
    world.stranded().forEach(line -> add("I12", line));
    checkLostLeases();
    checkExtraCalls();
    return broken;
  }

  private void add(String number, String what) {
    broken.add(number + ": " + what);
  }

  /** I1, I3: one ticket a key, and it is the job that ended. */
  private void check(Client client) {
    List<String> rows =
        database
            .sql("select id from job where ended_at is not null and idempotency_key = ?")
            .param(client.marker())
            .query((row, number) -> row.getString(1))
            .list();
    if (client.tickets().size() != 1
        || !rows.equals(List.of(client.tickets().iterator().next().toString()))) {
      add("I1", "%s has tickets %s, ended %s".formatted(client.marker(), client.tickets(), rows));
    }
  }

  /** I8, I13: every call is in our ledger, none is invented, none is free that may be billed. */
  private void check(String marker) {
    List<Call> calls = world.ledger.of(marker);
    long received = calls.stream().filter(Call::isReceived).count();
    long dear =
        calls.stream()
            .filter(call -> call.isReceived() && call.kind() != Reply.Kind.REFUSE)
            .count();
    int told = attempts(marker, "attempt.state in ('answered', 'refused')");
    int unsure = attempts(marker, "attempt.state = 'indeterminate'");
    int notFree = attempts(marker, "attempt.billed <> 'no'");
    if (received > told + unsure) {
      add("I8", "%s: %d received, but %d and %d".formatted(marker, received, told, unsure));
    }
    if (told > received) {
      add("I13", "%s: %d told of, %d received".formatted(marker, told, received));
    }
    if (notFree < dear) {
      add("I13", "%s: %d may be billed, %d are shown so".formatted(marker, dear, notFree));
    }
    for (int usage :
        database
            .sql(
                """
                select attempt.usage_output from attempt join job on job.id = attempt.job_id
                where job.idempotency_key = ? and attempt.state = 'answered'
                """)
            .param(marker)
            .query(Integer.class)
            .list()) {
      if (calls.stream().noneMatch(call -> call.isDelivered() && usage == call.number())) {
        add("I13", "%s: usage %s is no call's".formatted(marker, usage));
      }
    }
  }

  private int attempts(String marker, String condition) {
    return number(
        """
        select count(*) from attempt join job on job.id = attempt.job_id
        where job.idempotency_key = '%s' and %s"""
            .formatted(marker, condition));
  }

  private int number(String sql) {
    return database.sql(sql).query(Integer.class).single();
  }

  /**
   * I7: a lease is lost only to somebody, be it to the next run of a job that was given back, and
   * the answer to that was lost.
   */
  private void checkLostLeases() {
    int taken =
        number(
            """
            select count(*) from coatcheck_audit.job_move
            where from_epoch > 0 and to_epoch > from_epoch""");
    if (taken == 0 && world.lostLeases() > 0) {
      add("I7", "%s leases were given up that nobody took".formatted(world.lostLeases()));
    }
  }

  /** I8: no answer is asked for again but those that a fault hit. */
  private void checkExtraCalls() {
    long answers =
        world.ledger.all().stream()
            .filter(call -> call.isReceived() && call.kind() == Reply.Kind.ANSWER)
            .count();
    int turns = number("select count(*) from turn");
    int expired = number("select count(*) from job where status = 'expired'");
    int hits = world.probe.hits() + expired;
    if (answers - turns > hits) {
      add("I8", "%d answers for %d turns, and %d hits".formatted(answers, turns, hits));
    }
  }
}
