package dev.coatcheck.db.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.json.RawJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of operators against texts of models. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArgumentSchemaTest {
  private static final int MEBIBYTE = 1 << 20;

  private static Optional<String> fault(String pattern, String text) {
    String schema =
        """
        {"type":"object","properties":{"name":{"type":"string","pattern":"%s"}}}
        """
            .formatted(pattern);
    return ArgumentSchema.of(RawJson.of(utf8(schema))).faultOf(utf8("{\"name\":\"" + text + "\"}"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void a_pattern_that_a_long_text_overflows_the_stack_of_is_a_fault_and_no_end_of_the_run() {
    assertThat(fault("^([a-z]|_)+$", "a".repeat(MEBIBYTE)).orElseThrow())
        .contains("could not be checked", "too much for a pattern");
  }

  @ParameterizedTest
  @ValueSource(strings = {"^(.*a){20}$", "(x+x+)+y"})
  void a_pattern_that_would_look_at_a_text_for_hours_gives_up(String pattern) {
    String text = "a".repeat(40) + "x".repeat(4_000) + "!";
    assertThat(fault(pattern, text).orElseThrow()).contains("too much for a pattern");
  }

  @Test
  void a_plain_pattern_reads_the_longest_text() {
    assertThat(fault("^[a-z]+$", "a".repeat(MEBIBYTE))).isEmpty();
    assertThat(fault("^[a-z]+$", "a".repeat(MEBIBYTE) + "1").orElseThrow()).contains("/name");
  }

  @Test
  void a_pattern_is_read_as_before() {
    assertThat(fault("^\\\\p{Letter}$", "a")).isEmpty();
    assertThat(fault("b", "abc")).isEmpty();
    assertThat(fault("^a$", "a\\n")).isPresent();
  }
}
