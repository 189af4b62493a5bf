package dev.coatcheck.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.Header;
import dev.coatcheck.worker.egress.Secret;
import dev.coatcheck.worker.provider.Dialect.Draft;
import dev.coatcheck.worker.retry.AskAgain;
import dev.coatcheck.worker.retry.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a job in the shape of Chat Completions becomes. */
class AnthropicDialectTest {
  private static final String USER = "{\"role\":\"user\",\"content\":\"hi\"}";

  private final Dialect dialect = dialect(Map.of(), null);

  private static Dialect dialect(Map<String, Secret> headers, @Nullable Integer maxTokens) {
    return Dialect.named("anthropic")
        .orElseThrow()
        .with(
            new ProviderSettings(
                "anthropic",
                "https://api.anthropic.com/",
                Secret.of("sk-ant-1"),
                headers,
                Map.of(),
                0,
                maxTokens));
  }

  private static TurnRequest request(Dialogue dialogue, String params) {
    return new TurnRequest("claude-x", dialogue, Body.utf8(params), null, Duration.ofSeconds(1));
  }

  private static TurnRequest request(String messages, String params) {
    return request(Dialogue.of(Body.utf8(messages)), params);
  }

  private String written(TurnRequest request) {
    return switch (dialect.write(request)) {
      case Draft.Sendable(EgressRequest sendable) -> sendable.body().text();
      case Draft.Untranslatable no -> throw new AssertionError(no.toString());
    };
  }

  private JsonNode tree(String messages, String params) {
    return tree(written(request(messages, params)));
  }

  private static JsonNode tree(String json) {
    return Json.MAPPER.readTree(json);
  }

  private void assertMessages(String given, String expected) {
    assertThat(tree("[" + given + "]", "{}").path("messages"))
        .isEqualTo(tree("[" + expected + "]"));
  }

  private void assertUntranslatable(String messages, String params, String path) {
    assertThat(dialect.write(request(messages, params)))
        .isInstanceOfSatisfying(
            Draft.Untranslatable.class, no -> assertThat(no.path()).isEqualTo(path));
  }

  @Test
  void the_call_goes_to_messages_with_its_own_headers() {
    EgressRequest sent =
        ((Draft.Sendable) dialect.write(request("[" + USER + "]", "{}"))).request();

    assertThat(sent.uri()).hasToString("https://api.anthropic.com/v1/messages");
    assertThat(sent.headers())
        .contains(
            new Header("x-api-key", "sk-ant-1"), new Header("anthropic-version", "2023-06-01"))
        .noneMatch(header -> header.name().equalsIgnoreCase("authorization"));
  }

  @Test
  void the_operators_headers_win() {
    Draft draft =
        dialect(
                Map.of(
                    "Anthropic-Version", Secret.of("2030-01-01"),
                    "anthropic-beta", Secret.of("context-1m-2025-08-07")),
                null)
            .write(request("[" + USER + "]", "{}"));

    assertThat(((Draft.Sendable) draft).request().headers())
        .contains(new Header("Anthropic-Version", "2030-01-01"))
        .contains(new Header("anthropic-beta", "context-1m-2025-08-07"))
        .doesNotContain(new Header("anthropic-version", "2023-06-01"));
  }

  @Test
  void a_plain_prompt_is_one_message_and_a_limit() {
    assertThat(written(request("[" + USER + "]", "{}")))
        .isEqualTo(
            "{\"model\":\"claude-x\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"max_tokens\":4096}");
  }

  @Test
  void a_stream_is_asked_for_where_somebody_listens() {
    var streamed =
        new TurnRequest(
            "claude-x",
            Dialogue.of(Body.utf8("[" + USER + "]")),
            Body.utf8("{\"stream_options\":{\"include_usage\":true}}"),
            TextListener.nobody(),
            Duration.ofSeconds(1));

    assertThat(tree(written(streamed)).path("stream").asBoolean()).isTrue();
    assertThat(tree(written(streamed)).has("stream_options")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{}                                                  | -    | 4096",
        "{}                                                  | 1000 | 1000",
        "{\"max_tokens\":5}                                  | 1000 | 5",
        "{\"max_completion_tokens\":6}                       | -    | 6",
        "{\"max_tokens\":5,\"max_completion_tokens\":6}      | -    | 6",
        "{\"max_tokens\":5,\"max_completion_tokens\":null}   | -    | 5"
      })
  void the_limit_is_the_callers_or_the_operators_or_ours(
      String params, @Nullable Integer configured, int expected) {
    Draft draft = dialect(Map.of(), configured).write(request("[" + USER + "]", params));

    JsonNode body = tree(((Draft.Sendable) draft).request().body().text());
    assertThat(body.path("max_tokens").asInt()).isEqualTo(expected);
    assertThat(body.has("max_completion_tokens")).isFalse();
  }

  @Test
  void what_the_system_says_stands_apart() {
    JsonNode body =
        tree(
            """
            [{"role":"system","content":"Be brief."},
             {"role":"developer","content":[{"type":"text","text":"And kind.","cache_control":{"type":"ephemeral","ttl":"1h"}}]},
             {"role":"user","content":"hi"},
             {"role":"system","content":"Now.","cache_control":{"type":"ephemeral"}},
             {"role":"system","content":""}]
            """,
            "{}");

    assertThat(body.path("system"))
        .isEqualTo(
            tree(
                """
                [{"type":"text","text":"Be brief."},
                 {"type":"text","text":"And kind.","cache_control":{"type":"ephemeral","ttl":"1h"}},
                 {"type":"text","text":"Now.","cache_control":{"type":"ephemeral"}}]
                """));
    assertThat(body.path("messages")).isEqualTo(tree("[{\"role\":\"user\",\"content\":\"hi\"}]"));
  }

  @Test
  void texts_travel_byte_for_byte() {
    String odd = "\"NUL \\u0000, half \\ud800, ü \\u00fc\"";

    assertThat(
            written(
                request(
                    "[{\"role\":\"system\",\"content\":"
                        + odd
                        + "},{\"role\":\"user\",\"content\":"
                        + odd
                        + "},{\"role\":\"assistant\",\"content\":"
                        + odd
                        + "}]",
                    "{\"temperature\": 1.0e0}")))
        .contains("{\"type\":\"text\",\"text\":" + odd + "}")
        .contains("{\"role\":\"user\",\"content\":" + odd + "}")
        .contains("{\"role\":\"assistant\",\"content\":" + odd + "}")
        .contains("\"temperature\":1.0e0");
  }

  @Test
  void images_and_pdfs_become_blocks() {
    assertMessages(
        """
        {"role":"user","content":[{"type":"text","text":"what is this?"},
          {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0K","detail":"high"}},
          {"type":"image_url","image_url":{"url":"https://example.com/a.jpg"},"cache_control":{"type":"ephemeral"}},
          {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}]}
        """,
        """
        {"role":"user","content":[{"type":"text","text":"what is this?"},
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0K"}},
          {"type":"image","source":{"type":"url","url":"https://example.com/a.jpg"},"cache_control":{"type":"ephemeral"}},
          {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="},"title":"a.pdf"}]}
        """);
  }

  @Test
  void blocks_of_anthropics_own_are_left_as_they_are() {
    String native1 =
        """
        {"role":"user","content":[{"type":"search_result","source":"x","title":"y","content":[]},
          {"type":"document","source":{"type":"text","media_type":"text/plain","data":"z"},"citations":{"enabled":true}}]}
        """;
    assertMessages(native1, native1);
  }

  @Test
  void calls_and_their_results_become_blocks_and_results_in_a_row_one_message() {
    assertMessages(
        """
        {"role":"user","content":"refund 4711 and 4712"},
        {"role":"assistant","content":"At once.","tool_calls":[
          {"id":"a","type":"function","function":{"name":"refund","arguments":"{\\"order\\": \\"4711\\", \\"cents\\":1.50}"}},
          {"id":"b","type":"function","function":{"name":"refund","arguments":""}}],"refusal":null,"annotations":[]},
        {"role":"tool","tool_call_id":"a","content":"done"},
        {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"no"}],"cache_control":{"type":"ephemeral"}},
        {"role":"user","content":"thanks"},
        {"role":"assistant","content":null,"refusal":"No."}
        """,
        """
        {"role":"user","content":"refund 4711 and 4712"},
        {"role":"assistant","content":[{"type":"text","text":"At once."},
          {"type":"tool_use","id":"a","name":"refund","input":{"order":"4711","cents":1.50}},
          {"type":"tool_use","id":"b","name":"refund","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"},
          {"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"no"}],"cache_control":{"type":"ephemeral"}}]},
        {"role":"user","content":"thanks"},
        {"role":"assistant","content":[{"type":"text","text":"No."}]}
        """);
  }

  @Test
  void results_at_the_very_end_are_said_too() {
    assertMessages(
        USER + ",{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"x\"}",
        USER
            + ",{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":\"x\"}]}");
  }

  @Test
  void recorded_turns_go_back_untouched_thinking_and_all() {
    String content =
        "[ {\"type\":\"thinking\",\"thinking\":\"hm \\ud83d\",\"signature\":\"Eq==\"},"
            + "{\"type\":\"redacted_thinking\",\"data\":\"x\"},"
            + "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\",\"input\":{\"z\":1.0,\"a\":2}} ]";
    var turn =
        new PastTurn(
            Body.utf8(
                "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":"
                    + content
                    + ",\"stop_reason\":\"tool_use\",\"usage\":{\"input_tokens\":1}}"),
            List.of(
                new ToolResult("t1", "f", "{\"ok\":true}", ToolResult.Kind.RESULT),
                new ToolResult("t2", "g", "timed out", ToolResult.Kind.ERROR)));
    var dialogue =
        new Dialogue(
            Body.utf8("[" + USER + "]"),
            List.of(turn),
            List.of(new OfferedTool("f", "does f", Body.utf8("{ \"type\":\"object\" }"))));

    String body = written(request(dialogue, "{}"));

    assertThat(body)
        .contains("{\"role\":\"assistant\",\"content\":" + content + "}")
        .contains(
            "\"tools\":[{\"name\":\"f\",\"description\":\"does f\",\"input_schema\":{ \"type\":\"object\" }}]")
        .doesNotContain("msg_1");
    assertThat(tree(body).path("messages").path(2))
        .isEqualTo(
            tree(
                """
                {"role":"user","content":[
                  {"type":"tool_result","tool_use_id":"t1","content":"{\\"ok\\":true}"},
                  {"type":"tool_result","tool_use_id":"t2","content":"timed out","is_error":true}]}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"stop\":\"END\"                       | \"stop_sequences\":[\"END\"]",
        "\"stop\":[\"a\",\"b\"]                 | \"stop_sequences\":[\"a\",\"b\"]",
        "\"stop\":null                          | ",
        "\"temperature\":0.5,\"top_k\":4        | \"temperature\":0.5,\"top_k\":4",
        "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2000} | \"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2000}",
        "\"user\":\"u1\"                        | \"metadata\":{\"user_id\":\"u1\"}",
        "\"service_tier\":\"auto\",\"new\":1    | \"service_tier\":\"auto\",\"new\":1",
        "\"tool_choice\":\"auto\"               | \"tool_choice\":{\"type\":\"auto\"}",
        "\"tool_choice\":\"none\"               | \"tool_choice\":{\"type\":\"none\"}",
        "\"tool_choice\":\"required\"           | \"tool_choice\":{\"type\":\"any\"}",
        "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"f\"}} | \"tool_choice\":{\"type\":\"tool\",\"name\":\"f\"}",
        "\"tool_choice\":{\"type\":\"any\"},\"parallel_tool_calls\":false | \"tool_choice\":{\"type\":\"any\",\"disable_parallel_tool_use\":true}",
        "\"parallel_tool_calls\":false          | \"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":true}",
        "\"parallel_tool_calls\":true           | ",
        "\"response_format\":{\"type\":\"text\"} | ",
        "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"x\",\"strict\":true,\"schema\":{\"type\":\"object\"}}} | \"output_config\":{\"format\":{\"type\":\"json_schema\",\"schema\":{\"type\":\"object\"}}}",
        "\"n\":1,\"seed\":null,\"frequency_penalty\":0,\"logprobs\":false,\"store\":false | ",
        "\"cache_control\":{\"type\":\"ephemeral\"} | \"cache_control\":{\"type\":\"ephemeral\"}"
      })
  void params_are_said_in_anthropics_words(String given, @Nullable String expected) {
    String most = "\"model\":\"claude-x\",\"messages\":[" + USER + "],\"max_tokens\":4096";

    assertThat(tree("[" + USER + "]", "{" + given + "}"))
        .isEqualTo(tree("{" + most + (expected == null ? "" : "," + expected) + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"n\":2                                    | params.n",
        "\"seed\":7                                 | params.seed",
        "\"frequency_penalty\":0.5                  | params.frequency_penalty",
        "\"logit_bias\":{\"50256\":-100}            | params.logit_bias",
        "\"logprobs\":true                          | params.logprobs",
        "\"modalities\":[\"audio\"]                 | params.modalities",
        "\"reasoning_effort\":\"high\"              | params.reasoning_effort",
        "\"response_format\":{\"type\":\"json_object\"} | params.response_format",
        "\"response_format\":{\"type\":\"json_schema\"} | params.response_format.json_schema.schema",
        "\"tool_choice\":\"sometimes\"              | params.tool_choice",
        "\"tool_choice\":{\"type\":\"allowed_tools\"} | params.tool_choice",
        "\"stop\":\"a\",\"stop_sequences\":[\"b\"]  | params.stop_sequences",
        "\"user\":\"a\",\"metadata\":{}             | params.metadata"
      })
  void params_that_anthropic_has_no_words_for_are_named(String params, String path) {
    assertUntranslatable("[" + USER + "]", "{" + params + "}", path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"role\":\"user\",\"content\":\"x\",\"name\":\"bob\"} | messages[0].name",
        "{\"role\":\"function\",\"name\":\"f\",\"content\":\"x\"} | messages[0].role",
        "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"input_audio\",\"input_audio\":{}}]} | messages[0].content[1]",
        "{\"role\":\"user\",\"content\":[{\"type\":\"file\",\"file\":{\"file_id\":\"f\"}}]} | messages[0].content[0].file",
        "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png,x\"}}]} | messages[0].content[0].image_url.url",
        "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]} | messages[0].content[0].image_url.url",
        "{\"role\":\"user\",\"content\":[\"x\"]} | messages[0].content[0]",
        "{\"role\":\"user\",\"content\":7} | messages[0].content",
        "{\"role\":\"assistant\",\"content\":\"x\",\"function_call\":{}} | messages[0].function_call",
        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"custom\"}]} | messages[0].tool_calls[0]",
        "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{nonsense\"}}]} | messages[0].tool_calls[0].function.arguments",
        "{\"role\":\"tool\",\"content\":\"x\"} | messages[0].tool_call_id",
        "{\"role\":\"user\",\"content\":[],\"cache_control\":{}} | messages[0].cache_control"
      })
  void messages_that_anthropic_has_no_words_for_are_named(String message, String path) {
    assertUntranslatable("[" + message + "]", "{}", path);
  }

  @Test
  void a_system_in_the_params_is_the_system_unless_the_messages_have_one() {
    assertThat(tree("[" + USER + "]", "{\"system\":\"s\"}").path("system").asString())
        .isEqualTo("s");
    assertUntranslatable(
        "[{\"role\":\"system\",\"content\":\"a\"}," + USER + "]",
        "{\"system\":\"s\"}",
        "params.system");
  }

  @Test
  void what_cannot_be_said_is_never_sent() throws Exception {
    try (TestProvider provider = TestProvider.speaking("anthropic")) {
      ProviderOutcome outcome = provider.ask("[" + USER + "]", "{\"n\":2}", Duration.ofSeconds(5));

      assertThat(outcome)
          .isInstanceOf(ProviderOutcome.Unreachable.class)
          .extracting("failure.code", "failure.askAgain", "failure.message")
          .containsExactly(
              ErrorCode.INVALID_REQUEST,
              AskAgain.NEVER,
              "params.n has no counterpart at this provider");
      assertThat(provider.server().requests()).isEmpty();
    }
  }
}
