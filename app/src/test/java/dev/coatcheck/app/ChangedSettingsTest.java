package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.fixture.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller repeats a submit, and meanwhile the process was started with other settings. */
class ChangedSettingsTest {
  private static final String SECRET =
      "coatcheck.webhooks.secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String TOOL = "{\"model\":\"m\",\"prompt\":\"p\",\"tools\":[\"ask_user\"]}";
  private static final String WEBHOOK =
      "{\"model\":\"m\",\"prompt\":\"p\",\"webhook\":{\"url\":\"http://10.0.0.1:9000/hook\"}}";
  private static final String NO_URL =
      "{\"model\":\"m\",\"prompt\":\"p\",\"webhook\":{\"include\":[\"output\"]}}";
  private static final String NO_MODEL = "{\"prompt\":\"p\"}";
  private static final String SLASH = "{\"model\":\"mine/\",\"prompt\":\"p\"}";

  private final TestDatabase database = TestDatabase.create();
  @TempDir Path directory;

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void a_repeat_gets_its_job_though_its_tool_its_webhook_and_its_model_are_gone() throws Exception {
    RunningApp before = startBefore();
    String[] bodies = {TOOL, WEBHOOK, NO_URL, NO_MODEL, SLASH};
    var ids = new String[bodies.length];
    for (int i = 0; i < bodies.length; i++) {
      Http.Reply ticket = before.as("acme").submit("key-" + i, bodies[i]);
      assertThat(ticket.status()).as(ticket.body()).isEqualTo(202);
      ids[i] = ticket.text("/id");
    }
    before.context().close();

    RunningApp after =
        RunningApp.startOn(
            database, SECRET, "coatcheck.providers.mine.base-url=http://127.0.0.1:1");
    for (int i = 0; i < bodies.length; i++) {
      Http.Reply again = after.as("acme").submit("key-" + i, bodies[i]);
      assertThat(again.status()).as(again.body()).isEqualTo(202);
      assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
      assertThat(again.text("/id")).isEqualTo(ids[i]);
      assertThat(after.as("acme").submit(bodies[i]).status()).as(bodies[i]).isEqualTo(400);
      assertThat(after.as("umbrella").submit("key-" + i, bodies[i]).status()).isEqualTo(400);
    }
    after.context().close();

    RunningApp without = RunningApp.startOn(database);
    assertThat(without.as("acme").submit("key-1", WEBHOOK).text("/id")).isEqualTo(ids[1]);
    without.context().close();
  }

  @Test
  void another_body_under_the_key_is_told_so_though_its_tool_is_unknown() throws Exception {
    RunningApp before = startBefore();
    String id = before.as("acme").submit("key", TOOL).text("/id");
    before.context().close();

    RunningApp after = RunningApp.startOn(database);
    Http.Reply other = after.as("acme").submit("key", TOOL.replace("ask_user", "refund"));
    Problems.assertThat(other).is(422, "idempotency_key_reused");
    assertThat(other.text("/job_id")).isEqualTo(id);
    assertThat(other.json().at("/differs").toString()).isEqualTo("[\"tools[0]\"]");
    Problems.assertThat(after.as("acme").submit("key", TOOL.replace("\"p\"", "1")))
        .is(400, "invalid_request")
        .at("prompt");
    after.context().close();
  }

  private RunningApp startBefore() throws IOException {
    Path tools = directory.resolve("tools.json");
    Files.writeString(
        tools,
        """
        {"tools": [{"name": "ask_user", "description": "Ask", "safety": "client",
          "parameters": {"type": "object"}}]}
        """);
    return RunningApp.startOn(
        database,
        SECRET,
        "coatcheck.webhooks.allow-private-addresses=true",
        "coatcheck.tenants.acme.webhook-url=http://10.0.0.1:9000/all",
        "coatcheck.default-model=m",
        "coatcheck.tools-file=" + tools);
  }
}
