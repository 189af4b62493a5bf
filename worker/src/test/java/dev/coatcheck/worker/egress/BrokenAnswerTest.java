package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.raw.Conversation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Half an answer is none. */
class BrokenAnswerTest extends EgressFixture {
  @Test
  void an_answer_shorter_than_its_length_is_lost() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 1000") + "0123456789");
          c.hangUp();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.CONNECTION);
  }

  @Test
  void a_chunked_answer_that_breaks_off_is_lost() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Transfer-Encoding: chunked") + "5\r\n01234\r\n");
          c.hangUp();
        },
        c -> {
          c.write(Conversation.head(200, "Transfer-Encoding: chunked") + "5\r\n01");
          c.hangUp();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
    assertThat(post(LONG)).isInstanceOf(Lost.class);
  }

  @Test
  void a_hang_up_without_a_byte_is_lost_not_unsent() {
    server.play(Conversation::hangUp);

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.CONNECTION);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void a_reset_before_or_after_the_headers_is_lost_and_never_sent_again_by_the_client() {
    server.play(
        Conversation::reset,
        c -> {
          c.write(Conversation.head(200, "Content-Length: 1000"));
          c.reset();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
    assertThat(post(LONG)).isInstanceOf(Lost.class);
    assertThat(server.requests()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "\u0000\u0001\u0002\u0003",
        "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "220 smtp.example ESMTP\r\n"
      })
  void junk_then_a_hang_up_never_throws(String junk) {
    server.play(
        c -> {
          c.write(junk);
          c.hangUp();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
  }

  @Test
  void a_refusal_that_comes_before_a_large_request_is_read() {
    server
        .withoutReading()
        .otherwise(
            c -> {
              c.answer(413, "too large", "Connection: close");
              c.waitForHangUp(5_000);
            });

    EgressResult result = post(server.uri(), Body.of(new byte[16 * 1024 * 1024]), LONG);

    assertThat(result).isInstanceOf(Response.class).extracting("status").isEqualTo(413);
  }

  @Test
  void a_hang_up_in_the_middle_of_a_large_request_is_lost() {
    server
        .withoutReading()
        .otherwise(
            c -> {
              c.read(1_000);
              c.reset();
            });

    assertThat(post(server.uri(), Body.of(new byte[16 * 1024 * 1024]), LONG))
        .isInstanceOf(Lost.class);
  }
}
