package dev.coatcheck.db.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RawJsonTest {
  private static final int DOCUMENTS = 1_000;

  @Test
  void members_keep_their_order_and_spelling() {
    RawJson object = json(" { \"b\" : 1.50e+01 , \"a\":[ 1 , 2 ],\"\\u0063\":\"\\u00e9\\\"}\" } ");
    assertThat(object.members())
        .extracting(member -> member.name() + "=" + member.value().spelling())
        .containsExactly("b=1.50e+01", "a=[ 1 , 2 ]", "c=\"\\u00e9\\\"}\"");
  }

  @Test
  void text_keeps_lone_surrogates_and_nul() {
    assertThat(json("\"a\\ud800b\\u0000\\n\\/\\ud83d\\ude00é\"").text())
        .isEqualTo("a\ud800b\0\n/\ud83d\ude00é");
  }

  @Test
  void empty_containers_are_empty() {
    assertThat(json("{ }").members()).isEmpty();
    assertThat(json("[\n]").elements()).isEmpty();
  }

  @Test
  void random_documents_are_cut_as_jackson_reads_them() {
    long seed = 20261129;
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    var mapper = new JsonMapper();
    for (int i = 0; i < DOCUMENTS; i++) {
      String text = RandomJson.value(random, 4);
      assertThat(StrictJson.faultOf(text.getBytes(StandardCharsets.UTF_8)))
          .as("seed %d document %d", seed, i)
          .isEmpty();
      same(json(text), mapper.readTree(text));
    }
  }

  private static void same(RawJson raw, JsonNode node) {
    switch (raw.kind()) {
      case OBJECT -> {
        assertThat(raw.members().stream().map(RawJson.Member::name).toList())
            .containsExactlyElementsOf(node.propertyNames());
        raw.members().forEach(member -> same(member.value(), node.get(member.name())));
      }
      case ARRAY -> {
        assertThat(raw.elements()).hasSize(node.size());
        for (int i = 0; i < node.size(); i++) {
          same(raw.elements().get(i), node.get(i));
        }
      }
      case STRING -> assertThat(raw.text()).isEqualTo(node.stringValue());
      case NUMBER -> assertThat(Double.parseDouble(raw.spelling())).isEqualTo(node.doubleValue());
      case BOOLEAN -> assertThat(raw.spelling()).isEqualTo(node.toString());
      case NULL -> assertThat(node.isNull()).isTrue();
    }
  }

  private static RawJson json(String text) {
    return RawJson.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
