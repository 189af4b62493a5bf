package dev.coatcheck.worker.egress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.raw.Conversation;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** Sizes are counted as they unfold. */
class LargeAnswerTest extends EgressFixture {
  @Test
  void an_endless_body_is_cut_at_the_cap() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Transfer-Encoding: chunked"));
          String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
          while (true) {
            c.write(chunk);
          }
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TOO_LARGE);
  }

  @Test
  void a_body_of_exactly_the_cap_is_whole_and_one_byte_more_is_not() {
    int cap = (int) DataSize.ofMegabytes(1).toBytes();
    server.play(c -> c.answer(200, "x".repeat(cap)), c -> c.answer(200, "x".repeat(cap + 1)));

    assertThat(((Response) post(LONG)).body().length()).isEqualTo(cap);
    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TOO_LARGE);
  }

  @Test
  void a_gzip_bomb_is_cut_at_the_cap_of_what_it_would_become() throws IOException {
    byte[] bomb = gzip(new byte[64 * 1024 * 1024]);
    assertThat(bomb.length).isLessThan(100_000);
    server.play(
        c -> {
          c.write(
              Conversation.head(200, "Content-Length: " + bomb.length, "Content-Encoding: gzip"));
          c.write(bomb);
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TOO_LARGE);
  }

  @Test
  void a_compressed_answer_is_unpacked() throws IOException {
    byte[] packed = gzip("{\"a\":\"ü\"}".getBytes(UTF_8));
    server.play(
        c -> {
          c.write(
              Conversation.head(200, "Content-Length: " + packed.length, "Content-Encoding: gzip"));
          c.write(packed);
        });

    assertThat(((Response) post(LONG)).body().text()).isEqualTo("{\"a\":\"ü\"}");
    assertThat(server.requests().getFirst().header("accept-encoding").orElse("")).contains("gzip");
  }

  @Test
  void a_compressed_answer_that_breaks_off_is_lost() throws IOException {
    byte[] packed = gzip("x".repeat(1_000).getBytes(UTF_8));
    server.play(
        c -> {
          c.write(
              Conversation.head(
                  200, "Content-Length: " + (packed.length - 9), "Content-Encoding: gzip"));
          c.write(java.util.Arrays.copyOf(packed, packed.length - 9));
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
  }

  @Test
  void endless_headers_and_endless_header_lines_are_cut() {
    server.play(
        c -> {
          c.write("HTTP/1.1 200 OK\r\n");
          for (int i = 0; ; i++) {
            c.write("X-" + i + ": y\r\n");
          }
        },
        c -> {
          c.write("HTTP/1.1 200 OK\r\nX-Long: ");
          while (true) {
            c.write("y".repeat(1_000));
          }
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.GARBLED);
    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.GARBLED);
  }
}
