package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidationTest {
  private final Http acme = RunningApp.shared().as("acme");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "model                    | 1",
        "model                    | \"\"",
        "model                    | \"a\\u0000b\"",
        "model                    | \"a\\nb\"",
        "model                    | \"\\ud800\"",
        "params                   | []",
        "params.model             | {\"model\":\"x\"}",
        "params.messages          | {\"messages\":[]}",
        "params.stream            | {\"stream\":true}",
        "params.tools             | {\"tools\":[]}",
        "tools                    | \"refund\"",
        "tools[0]                 | [1]",
        "tools[0]                 | [{\"approval\":\"required\"}]",
        "max_turns                | 0",
        "max_turns                | 65",
        "max_turns                | 1.5",
        "max_turns                | \"8\"",
        "max_turns                | 1e999999999",
        "max_turns                | 1e-999999999",
        "max_turns                | 1e99999999999999999999",
        "stream                   | \"false\"",
        "stream                   | 0",
        "budget                   | \"PT30M\"",
        "budget.cost              | {\"cost\":1}",
        "budget.deadline          | {\"deadline\":\"PT0.9S\"}",
        "budget.deadline          | {\"deadline\":\"P7DT1S\"}",
        "budget.deadline          | {\"deadline\":\"-PT1M\"}",
        "budget.deadline          | {\"deadline\":\"30m\"}",
        "budget.deadline          | {\"deadline\":30}",
        "budget.deadline          | {\"deadline\":\"PT999999999999999999H\"}",
        "budget.max_wait          | {\"max_wait\":\"PT31M\"}",
        "budget.max_wait          | {\"max_wait\":\"-PT1S\"}",
        "budget.max_wait          | {\"deadline\":\"PT1M\",\"max_wait\":\"PT61S\"}",
        "budget.max_attempts      | {\"max_attempts\":0}",
        "budget.max_attempts      | {\"max_attempts\":21}",
        "budget.attempt_timeout   | {\"attempt_timeout\":\"PT0.5S\"}",
        "budget.attempt_timeout   | {\"deadline\":\"PT2H\",\"attempt_timeout\":\"PT61M\"}",
        "budget.attempt_timeout   | {\"deadline\":\"PT1M\",\"attempt_timeout\":\"PT2M\"}",
        "not_before               | \"tomorrow\"",
        "not_before               | \"2026-12-01\"",
        "not_before               | 1764446400",
        "not_before               | \"+999999999-12-31T23:59:59Z\"",
        "not_before               | \"-999999999-01-01T00:00:00Z\"",
        "metadata                 | []",
        "metadata.order           | {\"order\":4711}",
        "metadata.order           | {\"order\":null}",
        "metadata.order           | {\"order\":{}}"
      })
  void a_member_out_of_bounds_is_named(String path, String value) {
    String member = path.replaceAll("[.\\[].*", "");
    String body =
        member.equals("model")
            ? "{\"prompt\":\"hi\",\"model\":" + value + "}"
            : "{\"model\":\"m\",\"prompt\":\"hi\",\"" + member + "\":" + value + "}";

    Problems.assertThat(acme.submit(body)).is(400, "invalid_request").at(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"max_turns\":1",
        "\"max_turns\":64",
        "\"max_turns\":8.0",
        "\"max_turns\":6.4e1",
        "\"budget\":{\"deadline\":\"PT1S\"}",
        "\"budget\":{\"deadline\":\"P7D\"}",
        "\"budget\":{\"deadline\":\"P1W\"}",
        "\"budget\":{\"deadline\":\"PT168H\",\"max_wait\":\"P7D\"}",
        "\"budget\":{\"max_attempts\":1,\"max_wait\":\"PT0S\"}",
        "\"budget\":{\"max_attempts\":20,\"attempt_timeout\":\"PT1S\"}",
        "\"budget\":{\"deadline\":\"PT1H\",\"attempt_timeout\":\"PT1H\"}",
        "\"params\":{\"temperature\":0,\"response_format\":{}}",
        "\"params\":{}",
        "\"tools\":[]",
        "\"stream\":false",
        "\"stream\":true",
        "\"metadata\":{}",
        "\"not_before\":\"2001-01-01T00:00:00Z\"",
        "\"not_before\":\"0000-01-01T00:00:00+18:00\""
      })
  void a_member_at_its_bounds_is_taken(String member) {
    Http.Reply reply = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"," + member + "}");

    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
  }

  @Test
  void metadata_is_bounded_by_pairs_and_characters() {
    assertThat(submitMetadata(pairs(16)).status()).isEqualTo(202);
    Problems.assertThat(submitMetadata(pairs(17))).is(400, "invalid_request").at("metadata");
    String emoji = "\ud83d\ude00";
    assertThat(
            submitMetadata("\"" + emoji.repeat(64) + "\":\"" + emoji.repeat(512) + "\"").status())
        .isEqualTo(202);
    Problems.assertThat(submitMetadata("\"" + "n".repeat(65) + "\":\"v\""))
        .is(400, "invalid_request")
        .at("metadata");
    Problems.assertThat(submitMetadata("\"n\":\"" + "v".repeat(513) + "\""))
        .is(400, "invalid_request")
        .at("metadata.n");
  }

  @Test
  void a_model_has_up_to_256_characters() {
    assertThat(acme.submit("{\"model\":\"" + "m".repeat(256) + "\",\"prompt\":\"p\"}").status())
        .isEqualTo(202);
    Problems.assertThat(acme.submit("{\"model\":\"" + "m".repeat(257) + "\",\"prompt\":\"p\"}"))
        .is(400, "invalid_request")
        .at("model");
  }

  @Test
  void a_job_can_be_put_off_for_30_days() {
    Instant now = Instant.now();

    assertThat(submitNotBefore(now.plus(29, ChronoUnit.DAYS)).status()).isEqualTo(202);
    Problems.assertThat(submitNotBefore(now.plus(31, ChronoUnit.DAYS)))
        .is(400, "invalid_request")
        .at("not_before");
  }

  @Test
  void the_model_is_required_where_there_is_no_default() {
    Problems.assertThat(acme.submit("{\"prompt\":\"hi\"}")).is(400, "invalid_request").at("model");
  }

  @Test
  void a_provider_without_a_model_is_no_model() {
    Problems.assertThat(acme.submit("{\"model\":\"openai/\",\"prompt\":\"hi\"}"))
        .is(400, "model_unknown")
        .at("model");
  }

  @Test
  void one_of_prompt_and_messages_is_required_and_not_both() {
    Problems.assertThat(acme.submit("{\"model\":\"m\"}")).is(400, "invalid_request").at("prompt");
    Problems.assertThat(
            acme.submit("{\"model\":\"m\",\"prompt\":\"p\",\"messages\":[{\"role\":\"user\"}]}"))
        .is(400, "invalid_request")
        .at("messages");
    Problems.assertThat(acme.submit("{\"model\":\"m\",\"prompt\":1}"))
        .is(400, "invalid_request")
        .at("prompt");
  }

  @Test
  void messages_are_objects_with_a_role_and_whatever_else() {
    assertThat(
            acme.submit(
                    """
                    {"model":"m","messages":[{"role":"developer","x":[1,{}],"content":null},
                      {"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"\\u0000"}]}]}
                    """)
                .status())
        .isEqualTo(202);
    Problems.assertThat(acme.submit("{\"model\":\"m\",\"messages\":[]}"))
        .is(400, "invalid_request")
        .at("messages");
    Problems.assertThat(acme.submit("{\"model\":\"m\",\"messages\":{}}"))
        .is(400, "invalid_request")
        .at("messages");
    Problems.assertThat(
            acme.submit("{\"model\":\"m\",\"messages\":[{\"role\":\"user\"},\"x\",{\"role\":1}]}"))
        .is(400, "invalid_request")
        .at("messages[1]", "messages[2].role");
  }

  @Test
  void unknown_members_are_named() {
    for (String member : new String[] {"api_base", "base_url", "endpoint", "headers", "tenant"}) {
      Http.Reply reply = acme.submit("{\"model\":\"m\",\"prompt\":\"p\",\"" + member + "\":\"x\"}");
      Problems.assertThat(reply).is(400, "unknown_member").at(member);
      assertThat(reply.text("/detail")).contains(member);
    }
  }

  @Test
  void tools_that_are_not_configured_are_unknown() {
    Problems.assertThat(
            acme.submit(
                """
                {"model":"m","prompt":"p","tools":["lookup",{"name":"refund","approval":"required"}]}
                """))
        .is(400, "tool_unknown")
        .at("tools[0]", "tools[1]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "\"text\"",
        "{",
        "{\"model\":\"m\",\"prompt\":\"p\"} x",
        "{\"model\":\"m\",\"prompt\":\"p\",\"prompt\":\"q\"}",
        "{\"model\":\"m\",\"prompt\":\"p\",\"params\":{\"a\":1,\"a\":2}}",
        "{\"model\":\"m\",\"prompt\":\"p\",\"params\":{\"a\":NaN}}",
        "\ufeff{\"model\":\"m\",\"prompt\":\"p\"}"
      })
  void what_is_not_one_strict_json_object_is_refused(String body) {
    Problems.assertThat(acme.submit(body)).is(400, "invalid_request");
  }

  @Test
  void json_bombs_are_refused() {
    String many =
        IntStream.range(0, 400_000)
            .mapToObj(i -> "\"a" + i + "\":1")
            .collect(Collectors.joining(","));
    String deep = "[".repeat(100_000);
    for (String params :
        new String[] {
          "{\"a\":" + deep + "}",
          "{\"a\":" + "[".repeat(63) + "]".repeat(63) + "}",
          "{" + many.substring(0, many.length() / 2) + "}",
          "{\"a\":" + "1".repeat(101) + "}",
          "{\"" + "n".repeat(257) + "\":1}"
        }) {
      Problems.assertThat(
              acme.submit("{\"model\":\"m\",\"prompt\":\"p\",\"params\":" + params + "}"))
          .is(400, "invalid_request");
    }
    assertThat(
            acme.submit(
                    "{\"model\":\"m\",\"prompt\":\"p\",\"params\":{\"a\":"
                        + "[".repeat(62)
                        + "1e999999"
                        + "]".repeat(62)
                        + "}}")
                .status())
        .isEqualTo(202);
  }

  @Test
  void several_faults_are_told_at_once() {
    Problems.assertThat(
            acme.submit("{\"prompt\":1,\"max_turns\":0,\"budget\":{\"max_attempts\":0}}"))
        .is(400, "invalid_request")
        .at("model", "prompt", "max_turns", "budget.max_attempts");
  }

  private Http.Reply submitMetadata(String pairs) {
    return acme.submit("{\"model\":\"m\",\"prompt\":\"hi\",\"metadata\":{" + pairs + "}}");
  }

  private Http.Reply submitNotBefore(Instant instant) {
    return acme.submit("{\"model\":\"m\",\"prompt\":\"hi\",\"not_before\":\"" + instant + "\"}");
  }

  private static String pairs(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"k" + i + "\":\"v\"")
        .collect(Collectors.joining(","));
  }
}
