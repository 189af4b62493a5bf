package dev.coatcheck.db.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        " [1, -0.5e+7, true, null] \n",
        "\"\\ud800 \\u0000\"",
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
        "1e999999",
        "{\"\":1}",
        "{\"\\ud800\\u0000\":1}"
      })
  void lawful_json_has_no_fault(String text) {
    assertThat(StrictJson.faultOf(utf8(text))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "{",
        "{} {}",
        "{}x",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "NaN",
        "[Infinity]",
        "01",
        "+1",
        ".5",
        "1.",
        "\"\\x\"",
        "\"\\ud8\"",
        "\"a\nb\"",
        "\"unended",
        "tru",
        "/*c*/{}",
        "\ufeff{}",
        "{\"a\":1,\"a\":2}",
        "{\"x\":[{\"a\":1,\"\\u0061\":2}]}"
      })
  void anything_else_has_one(String text) {
    assertThat(StrictJson.faultOf(utf8(text))).isPresent();
  }

  @Test
  void a_duplicate_member_is_called_that() {
    assertThat(StrictJson.faultOf(utf8("{\"secret\":1,\"secret\":2}")))
        .hasValueSatisfying(
            fault -> assertThat(fault.detail()).contains("twice").doesNotContain("secret"));
  }

  @Test
  void nesting_ends_at_64() {
    assertThat(StrictJson.faultOf(utf8("[".repeat(64) + "]".repeat(64)))).isEmpty();
    assertThat(StrictJson.faultOf(utf8("[".repeat(65) + "]".repeat(65)))).isPresent();
    assertThat(StrictJson.faultOf(utf8("[".repeat(100_000)))).isPresent();
  }

  @Test
  void numbers_end_at_100_characters_and_names_at_256() {
    assertThat(StrictJson.faultOf(utf8("1".repeat(100)))).isEmpty();
    assertThat(StrictJson.faultOf(utf8("[" + "1".repeat(101) + "]"))).isPresent();
    assertThat(StrictJson.faultOf(utf8("{\"" + "n".repeat(256) + "\":1}"))).isEmpty();
    assertThat(StrictJson.faultOf(utf8("{\"" + "n".repeat(257) + "\":1}"))).isPresent();
  }

  @Test
  void a_million_members_are_too_many() {
    String members =
        IntStream.range(0, 1_000_000)
            .mapToObj(i -> "\"k" + i + "\":1")
            .collect(Collectors.joining(","));
    assertThat(StrictJson.faultOf(utf8("{" + members + "}"))).isPresent();
  }

  @Test
  void bytes_that_are_not_utf8_are_a_fault() {
    assertThat(StrictJson.faultOf(new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'})).isPresent();
    assertThat(StrictJson.faultOf(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}))
        .isPresent();
    assertThat(StrictJson.faultOf("{}".getBytes(StandardCharsets.UTF_16LE))).isPresent();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
