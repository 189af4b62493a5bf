package dev.coatcheck.db.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.setting.SettingFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tools file: what it may say, and how a fault in it stops the start. */
class ReadToolsFileTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("REFUND_TOKEN", "canary-token", "HOST", "shop.internal");

  @TempDir private Path directory;

  private Tools read(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, text);
    return ReadToolsFile.read(
        file.toString(), variable -> Optional.ofNullable(ENVIRONMENT.get(variable)));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void the_example_of_the_contract_is_read() throws IOException {
    Tools tools =
        read(
            "tools.json",
            """
            { "tools": [
              { "name": "refund", "description": "Refund an order", "safety": "keyed", "timeout": "PT20S",
                "parameters": { "type": "object", "properties": { "order": { "type": "string" } }, "required": ["order"] },
                "url": "https://${HOST}/tools/refund", "headers": { "Authorization": "Bearer ${REFUND_TOKEN}" } },
              { "name": "note_refund", "description": "Write the refund down", "safety": "transactional",
                "parameters": { "type": "object", "properties": { "order": { "type": "string" } }, "required": ["order"] },
                "sql": "insert into shop.refund (order_id, effect_key) values (:order, :effect_key)" },
              { "name": "ask_user", "description": "Ask the user", "safety": "client", "parameters": { "type": "object" } }
            ] }
            """);
    ToolDefinition refund = tools.named("refund").orElseThrow();
    assertThat(refund.safety()).isEqualTo(ToolSafety.KEYED);
    assertThat(refund.timeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(refund.work())
        .isInstanceOfSatisfying(
            ToolWork.Http.class,
            http -> {
              assertThat(http.url()).hasToString("https://shop.internal/tools/refund");
              assertThat(http.headers())
                  .hasEntrySatisfying(
                      "Authorization",
                      value -> assertThat(value.reveal()).isEqualTo("Bearer canary-token"));
            });
    assertThat(refund.toString()).doesNotContain("canary", "shop.internal");
    assertThat(new String(refund.parameters().bytes(), StandardCharsets.UTF_8))
        .startsWith("{ \"type\": \"object\", \"properties\"");
    assertThat(tools.named("note_refund").orElseThrow().timeout()).isEqualTo(ReadTool.TIMEOUT);
    assertThat(tools.all())
        .extracting(ToolDefinition::name)
        .containsExactly("refund", "note_refund", "ask_user");
  }

  @Test
  void yaml_says_the_same() throws IOException {
    Tools tools =
        read(
            "tools.yaml",
            """
            tools:
              - name: refund
                safety: at-most-once
                approval: required
                url: http://127.0.0.1/refund
                parameters:
                  type: object
                  properties: { order: { type: string, pattern: "^[0-9]+$" } }
                  required: [order]
            """);
    ToolDefinition refund = tools.named("refund").orElseThrow();
    assertThat(refund.approval()).isEqualTo(Approval.REQUIRED);
    assertThat(refund.parameters().faultOf(utf8("{\"order\":\"x\"}"))).isPresent();
    assertThat(refund.parameters().faultOf(utf8("{\"order\":\"7\"}"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"name":"t","safety":"keyed"}|tool "t" has no url
          {"name":"t","url":"http://x/"}|tool "t" must have a safety
          {"name":"t","safety":"often","url":"http://x/"}|tool "t" must have a safety
          {"name":"t","safety":"keyed","url":"http://x/","colour":1}|tool "t" has an unknown member "colour"
          {"name":"t","safety":"keyed","url":"http://x/","sql":"select 1"}|tool "t" sql needs the safety transactional
          {"name":"t","safety":"transactional","sql":"select 1","url":"http://x/"}|tool "t" may have no url
          {"name":"t","safety":"transactional"}|tool "t" has no sql
          {"name":"t","safety":"client","sql":"select 1"}|tool "t" sql needs the safety transactional
          {"name":"t","safety":"keyed","url":"ftp://x/"}|tool "t" its url must be
          {"name":"t","safety":"keyed","url":"http://user:pw@x/"}|tool "t" its url must be
          {"name":"t","safety":"keyed","url":"http://x/","headers":{"A":"${MISSING}"}}|tool "t" its header A needs MISSING, which the environment does not have
          {"name":"t","safety":"keyed","url":"http://x/","headers":{"A":"${}"}}|tool "t" its header A has a ${ that names no variable
          {"name":"t","safety":"keyed","url":"http://x/","headers":{"Idempotency-Key":"k"}}|tool "t" may not set the header Idempotency-Key
          {"name":"t","safety":"keyed","url":"http://x/","timeout":"soon"}|tool "t" its timeout must be
          {"name":"t","safety":"keyed","url":"http://x/","timeout":"PT2H"}|tool "t" its timeout must be
          {"name":"t","safety":"client","parameters":{"type":"objekt"}}|tool "t" its parameters
          {"name":"t","safety":"client","parameters":{"type":"object","properties":{"a":{"type":7}}}}|tool "t" its parameters: is no valid JSON Schema
          {"name":"t","safety":"client","parameters":{"type":"object","properties":{"a":{"$ref":"https://elsewhere/x.json"}}}}|tool "t" its parameters: is no valid JSON Schema
          {"name":"t","safety":"client","parameters":{"type":"object","properties":{"a":{"pattern":"("}}}}|tool "t" its parameters
          {"name":"t","safety":"client","parameters":true}|tool "t" its parameters
          {"name":"t","safety":"client","approval":"maybe"}|tool "t" its approval must be
          {"name":"a b","safety":"client"}|tools[0] must have a name
          {"safety":"client"}|tools[0] has no name
          7|tools[0] must be an object
          {"name":"t","safety":"client"},{"name":"t","safety":"client"}|two tools named "t"
          """)
  void a_fault_names_the_tool_and_says_what_is_wrong(String entries, String words) {
    assertThatThrownBy(() -> read("tools.json", "{\"tools\":[" + entries + "]}"))
        .isInstanceOf(SettingFault.class)
        .hasMessageStartingWith("coatcheck.tools-file: ")
        .hasMessageContaining(words)
        .hasMessageNotContaining("canary");
  }

  @Test
  void what_is_no_tools_file_is_no_tools_file() {
    assertThatThrownBy(() -> read("tools.json", "{\"tools\":[}")).hasMessageContaining("not JSON");
    assertThatThrownBy(() -> read("tools.json", "[]")).hasMessageContaining("an object");
    assertThatThrownBy(() -> read("tools.json", "{}")).hasMessageContaining("no list of tools");
    assertThatThrownBy(() -> read("tools.json", "{\"tools\":[],\"x\":1}"))
        .hasMessageContaining("unknown member \"x\"");
    assertThatThrownBy(() -> read("tools.yml", "tools: [")).hasMessageContaining("not YAML");
    assertThatThrownBy(() -> ReadToolsFile.read("/nowhere/tools.json", name -> Optional.empty()))
        .hasMessageContaining("cannot be read");
  }

  @Test
  void effect_keys_do_not_depend_on_spelling_and_differ_by_place() {
    var job = new JobId(new UUID(1, 2));
    var place = new EffectKey.Place(job, 1, 1);
    EffectKey key = EffectKey.of(place, "f", utf8("{\"a\":1,\"b\":2}"));
    assertThat(EffectKey.of(place, "f", utf8("{ \"b\":2.0, \"a\":1e0 }"))).isEqualTo(key);
    assertThat(EffectKey.of(place, "g", utf8("{\"a\":1,\"b\":2}"))).isNotEqualTo(key);
    assertThat(EffectKey.of(place, "f", utf8("{\"a\":1}"))).isNotEqualTo(key);
    assertThat(EffectKey.of(new EffectKey.Place(job, 1, 2), "f", utf8("{\"a\":1,\"b\":2}")))
        .isNotEqualTo(key);
    assertThat(EffectKey.of(new EffectKey.Place(job, 2, 1), "f", utf8("{\"a\":1,\"b\":2}")))
        .isNotEqualTo(key);
    assertThat(EffectKey.of(place, "f", utf8("{broken"))).isNotEqualTo(key);
  }
}
