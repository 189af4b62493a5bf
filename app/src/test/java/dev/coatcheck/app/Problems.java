package dev.coatcheck.app;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;

/** Asserts that a reply is a problem as API.md section 9 has it. */
record Problems(Http.Reply reply) {
  static Problems assertThat(Http.Reply reply) {
    return new Problems(reply);
  }

  Problems is(int status, String code) {
    Assertions.assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    Assertions.assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    Assertions.assertThat(reply.text("/code")).isEqualTo(code);
    Assertions.assertThat(reply.text("/type")).isEqualTo("/problems/" + code.replace('_', '-'));
    Assertions.assertThat(reply.json().at("/status").intValue()).isEqualTo(status);
    Assertions.assertThat(reply.text("/title")).isNotBlank();
    Assertions.assertThat(reply.text("/detail")).isNotBlank();
    Assertions.assertThat(reply.header("X-Request-Id")).isNotBlank();
    Assertions.assertThat(reply.text("/request_id")).isEqualTo(reply.header("X-Request-Id"));
    Assertions.assertThat(reply.json().has("errors")).isEqualTo(status == 400);
    Assertions.assertThat(reply.body()).doesNotContain("Exception", "dev.coatcheck", "select ");
    return this;
  }

  Problems at(String... paths) {
    Assertions.assertThat(paths()).containsExactlyInAnyOrder(paths);
    return this;
  }

  private List<String> paths() {
    var paths = new ArrayList<String>();
    reply.json().at("/errors").forEach(error -> paths.add(error.at("/path").asString()));
    return paths;
  }
}
