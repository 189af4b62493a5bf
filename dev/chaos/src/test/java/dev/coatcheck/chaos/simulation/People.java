package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.db.intake.Decided;
import dev.coatcheck.db.intake.Decision;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.tool.ToolCallId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The people behind the jobs. They run the caller's tools, and say so once, or again, or at the
 * same moment otherwise; they look into what is in doubt, and resolve it as it is.
 */
final class People {
  private static final Duration LOOK = Duration.ofSeconds(3);

  private final World world;
  private final Set<String> begun = new HashSet<>();
  private final List<Said> said = new ArrayList<>();

  People(World world) {
    this.world = world;
  }

  /** What one of them said about a call, and what the answer was. */
  record Said(String step, String content, Decided decided) {}

  List<Said> said(String step) {
    return said.stream().filter(one -> one.step().equals(step)).toList();
  }

  void run() {
    while (true) {
      world.schedule.rest(LOOK);
      look();
    }
  }

  private record Waiting(JobId job, ToolCallId call, String state, String step) {}

  private void look() {
    List<Waiting> waiting =
        world
            .lane
            .database
            .outside()
            .sql(
                """
                select job.id, tool_call.id, tool_call.state, convert_from(tool_call.arguments, 'UTF8')::json ->> 'step'
                from tool_call join job on job.id = tool_call.job_id
                where tool_call.state in ('awaiting_output', 'in_doubt') and job.ended_at is null
                order by job.id, tool_call.turn, tool_call.ordinal
                """)
            .query(
                (row, number) ->
                    new Waiting(
                        new JobId(row.getObject(1, UUID.class)),
                        new ToolCallId(row.getObject(2, UUID.class)),
                        row.getString(3),
                        row.getString(4)))
            .list();
    for (Waiting one : waiting) {
      if (begun.add(one.call.value() + one.state + world.effects.of(one.step).size())) {
        take(one);
      }
    }
  }

  private void take(Waiting one) {
    if (one.state.equals("in_doubt")) {
      begin(() -> say(one, resolution(one.step)));
      return;
    }
    begin(
        () -> {
          say(one, output("one"));
          if (world.schedule.random().nextInt(3) == 0) {
            say(one, output("one"));
          }
        });
    if (world.schedule.random().nextInt(3) == 0) {
      begin(() -> say(one, output("other")));
    }
  }

  private void begin(Runnable work) {
    world.schedule.spawn(
        "person",
        world.outside(),
        () -> {
          world.schedule.rest(Duration.ofMillis(world.schedule.random().nextInt(4_000)));
          work.run();
        });
  }

  /** As the tool's own ledger has it. */
  private Decision resolution(String step) {
    return world.effects.of(step).isEmpty() ? new Decision.NotDone() : done();
  }

  private static Decision done() {
    byte[] content = content("by hand");
    return new Decision.Done(CallResult.of(content), content);
  }

  private static Decision output(String words) {
    byte[] content = content(words);
    return new Decision.Output(CallResult.of(content), content);
  }

  private static byte[] content(String words) {
    return "{\"said\":\"%s\"}".formatted(words).getBytes(StandardCharsets.UTF_8);
  }

  private void say(Waiting one, Decision decision) {
    Decided decided =
        world.ask(
            () ->
                world
                    .lane
                    .decide()
                    .decide(TenantId.DEFAULT, one.job, Optional.of(one.call), decision));
    String content =
        switch (decision) {
          case Decision.Output output -> new String(output.content(), StandardCharsets.UTF_8);
          case Decision.Done done -> new String(done.content(), StandardCharsets.UTF_8);
          case Decision.NotDone _ -> "not done";
          case Decision.Approve _, Decision.Deny _, Decision.Failed _ ->
              throw new IllegalStateException("nobody says so");
        };
    said.add(new Said(one.step, content, decided));
    world.schedule.note("said " + content + " of " + one.step + ": " + decided);
  }
}
