package dev.coatcheck.demo;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Hands the job in, kills its worker three times, plays the person, and reads the ledger. */
final class Story {
  private static final String JOB =
      """
      {"prompt": "Refund order 4711. [[sim: tool look_up_order {\\"order\\":\\"4711\\"}, \
      tool refund {\\"order\\":\\"4711\\"}, tool note_refund {\\"order\\":\\"4711\\"}, \
      tool mail_customer {}, tool ask_customer {}, text Order 4711 is refunded.]]",
       "tools": ["look_up_order", "refund", "note_refund", "mail_customer", "ask_customer"]}
      """;
  private static final String ASLEEP =
      "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";

  private final House house;
  private final ToolServer tools;
  private final Say say;

  Story(House house, ToolServer tools, Say say) {
    this.house = house;
    this.tools = tools;
    this.say = say;
  }

  /** Whether it came out as promised. */
  boolean tell() {
    tools.killWith(() -> house.killWorker(say));
    Thread watcher = Thread.ofVirtual().start(this::killDuringTheStatement);
    Api api = house.api();
    JsonNode job = api.submit("demo-refund-4711", JOB);
    say.line("job " + job.path("id").asString() + " is accepted");
    job = api.await(job.path("id").asString());
    String doubt = state(job, "mail_customer");
    say.line("the job is " + words(job) + ": whether the mail went out, no machine can know");
    api.decide(job, call(job, "mail_customer"), "resolve", "{\"outcome\":\"done\"}");
    say.line("  a person looks into the outbox, and resolves it as done");
    job = api.await(job.path("id").asString());
    say.line("the job is " + words(job) + ": the caller is to ask its customer");
    api.decide(job, call(job, "ask_customer"), "output", "{\"output\":\"content\"}");
    job = api.await(job.path("id").asString());
    watcher.interrupt();
    say.line("the job is " + words(job) + ": \"" + job.path("output_text").asString() + "\"");
    return print(job, doubt);
  }

  private void killDuringTheStatement() {
    try {
      while (house.count(ASLEEP) == 0) {
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      return;
    }
    say.line("note_refund (transactional) has inserted its row, and has not committed");
    house.sql("update slowness set seconds = 0");
    house.killWorker(say);
  }

  private boolean print(JsonNode job, String doubt) {
    say.plain("");
    say.plain("tool           safety         sends  effects  state");
    List<String> rows = new ArrayList<>();
    for (JsonNode call : job.path("tool_calls")) {
      rows.add(row(call, doubt));
    }
    rows.forEach(say::plain);
    long noted = house.count("select count(*) from refund_note");
    boolean holds =
        tools.tally("refund").effects().get() == 1
            && tools.tally("mail_customer").effects().get() == 1
            && noted == 1
            && doubt.equals("in_doubt")
            && job.path("status").asString().equals("completed");
    say.plain("");
    say.plain(
        holds
            ? "Three kills between effect and record: 1, 1, 1 and one honest doubt."
            : "This is not what was promised.");
    return holds;
  }

  private String row(JsonNode call, String doubt) {
    String name = call.path("name").asString();
    String state = call.path("state").asString();
    return switch (name) {
      case "note_refund" ->
          row(call, "-", Long.toString(house.count("select count(*) from refund_note")), state);
      case "ask_customer" -> row(call, "-", "-", state);
      case "mail_customer" ->
          row(call, sends(name), effects(name), doubt + ", then resolved by a person: " + state);
      case "refund" -> row(call, sends(name), effects(name), state);
      default -> row(call, sends(name), "-", state);
    };
  }

  private static String row(JsonNode call, String sends, String effects, String state) {
    return "%-14s %-14s %5s  %7s  %s"
        .formatted(
            call.path("name").asString(), call.path("safety").asString(), sends, effects, state);
  }

  private String sends(String tool) {
    return Integer.toString(tools.tally(tool).sends().get());
  }

  private String effects(String tool) {
    return Integer.toString(tools.tally(tool).effects().get());
  }

  private static JsonNode call(JsonNode job, String name) {
    for (JsonNode call : job.path("tool_calls")) {
      if (call.path("name").asString().equals(name)) {
        return call;
      }
    }
    throw new IllegalStateException("the job has no call of " + name + ": " + job);
  }

  private static String state(JsonNode job, String name) {
    return call(job, name).path("state").asString();
  }

  private static String words(JsonNode job) {
    String reason = job.path("status_reason").path("code").asString("");
    return job.path("status").asString() + (reason.isEmpty() ? "" : " (" + reason + ")");
  }
}
