package dev.coatcheck.db.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestBodyTest {
  @Test
  void messages_are_the_callers_bytes() {
    var body = body("{\"model\":\"m\",\"messages\" : [ {\"x\":1.0,\"role\":\"user\"} ] }");
    assertThat(utf8(body.messages())).isEqualTo("[ {\"x\":1.0,\"role\":\"user\"} ]");
  }

  @Test
  void a_prompt_becomes_one_user_message_in_its_own_spelling() {
    var body = body("{\"prompt\":\"\\u0000\\ud800 \\u00e9é\"}");
    assertThat(utf8(body.messages()))
        .isEqualTo("[{\"role\":\"user\",\"content\":\"\\u0000\\ud800 \\u00e9é\"}]");
  }

  @Test
  void params_keep_order_and_spelling() {
    var body = body("{\"prompt\":\"p\",\"params\":{\"z\":1.0,\"a\":{ \"y\":1,\"b\":2 }}}");
    assertThat(body.params())
        .extracting(param -> param.name() + "=" + param.value().spelling())
        .containsExactly("z=1.0", "a={ \"y\":1,\"b\":2 }");
    assertThat(body("{\"prompt\":\"p\"}").params()).isEmpty();
  }

  private static RequestBody body(String text) {
    return new RequestBody(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
