package dev.coatcheck.db.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | 1.0",
        "1 | 1e0",
        "100 | 1E+2",
        "0.001 | 1e-3",
        "-0 | 0",
        "0e5 | 0.000",
        "1e999999999999999999999 | 10e999999999999999999998",
        "\"a\" | \"\\u0061\"",
        "\"\\ud83d\\ude00\" | \"😀\"",
        "{\"a\":1,\"b\":[true,null]} | { \"b\" : [ true , null ] , \"a\" : 1.0 }"
      })
  void values_that_are_equal_share_a_spelling(String one, String other) {
    assertThat(CanonicalJson.of(json(one))).isEqualTo(CanonicalJson.of(json(other)));
    assertThat(JsonDifference.between(json(one), json(other))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | -1",
        "1 | 10",
        "1 | \"1\"",
        "true | false",
        "null | false",
        "[] | {}",
        "[[1],2] | [[1,2]]",
        "[1,2] | [2,1]",
        "[12] | [1,2]",
        "\"\\ud800\" | \"\\ud801\"",
        "\"\\ud800\" | \"?\"",
        "{\"a\":\"b\"} | {\"ab\":\"\"}",
        "{\"a\":{}} | {\"a\":[]}",
        "{\"a\":null} | {}"
      })
  void values_that_are_not_equal_do_not(String one, String other) {
    assertThat(CanonicalJson.of(json(one))).isNotEqualTo(CanonicalJson.of(json(other)));
    assertThat(JsonDifference.between(json(one), json(other))).isNotEmpty();
  }

  @Test
  void differences_are_named_by_path_and_bounded() {
    assertThat(
            JsonDifference.between(
                json("{\"a\":{\"b\":[1,{\"c\":1}]},\"d\":1}"),
                json("{\"a\":{\"b\":[1,{\"c\":2},3]},\"e\":1}")))
        .containsExactly("a.b[1].c", "a.b[2]", "d", "e");
    String zeros = numbers(0, 2_000);
    assertThat(JsonDifference.between(json(zeros), json(numbers(1, 2_000))))
        .hasSize(JsonDifference.MAX_PATHS);
  }

  private static String numbers(int number, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Integer.toString(number))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static RawJson json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(StrictJson.faultOf(bytes)).isEmpty();
    return RawJson.of(bytes);
  }
}
