package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What never left us is told from what may have. */
class UnsentTest extends EgressFixture {
  @Test
  void a_refused_connection_sent_nothing() throws IOException {
    try (Socket deaf = new Socket()) {
      // Bound, so that nobody else takes the port, and listening to nobody.
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

      EgressResult result =
          post(URI.create("http://127.0.0.1:" + deaf.getLocalPort() + "/"), Body.EMPTY, LONG);

      assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.REFUSED);
    }
  }

  @Test
  void an_unresolvable_host_sent_nothing() {
    URI nowhere = URI.create("http://no-such-host.invalid/v1");

    EgressResult result = post(nowhere, Body.EMPTY, LONG);

    assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.UNRESOLVED);
  }

  @Test
  void a_connection_that_never_stands_ends_at_the_connect_timeout_and_sent_nothing()
      throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> fillers = fill(full);

      EgressResult result = post(uri(full), Body.EMPTY, LONG);

      assertThat(result)
          .isInstanceOf(NotSent.class)
          .extracting("cause")
          .isEqualTo(Unsent.CONNECT_TIMEOUT);
      assertThat(result.duration()).isBetween(Duration.ofMillis(400), Duration.ofSeconds(3));
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @Test
  void an_attempt_timeout_shorter_than_the_connect_timeout_holds_too() throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> fillers = fill(full);

      EgressResult result = post(uri(full), Body.EMPTY, Duration.ofMillis(100));

      assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.TIMEOUT);
      assertThat(result.duration()).isLessThan(Duration.ofMillis(450));
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @Test
  void a_tls_handshake_with_a_server_that_speaks_none_sent_nothing() {
    server.withoutReading().otherwise(c -> c.write("HTTP/1.1 400 no\r\n\r\n"));

    EgressResult result =
        post(URI.create("https://127.0.0.1:" + server.port() + "/"), Body.utf8("secret"), LONG);

    assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.TLS);
  }

  @Test
  void a_tls_handshake_that_never_ends_sent_nothing() {
    server.withoutReading().otherwise(c -> c.waitForHangUp(10_000));

    EgressResult result =
        post(URI.create("https://127.0.0.1:" + server.port() + "/"), Body.utf8("secret"), LONG);

    assertThat(result).isInstanceOf(NotSent.class);
    assertThat(result.duration()).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void a_timeout_of_nothing_sends_nothing() {
    assertThat(post(Duration.ZERO)).isInstanceOf(NotSent.class);
    assertThat(post(Duration.ofSeconds(-1))).isInstanceOf(NotSent.class);
    assertThat(server.connections()).isZero();
  }

  @Test
  void the_address_that_the_hook_gives_is_the_one_connected_to() throws IOException {
    ResolveHost toLoopback = host -> List.of(InetAddress.getLoopbackAddress());
    ResolveHost nobody =
        host -> {
          throw new UnknownHostException(host);
        };
    URI elsewhere = URI.create("http://provider.example:" + server.port() + "/v1");

    try (Egress hooked = Egress.open(SETTINGS, 5, EgressProbe.inert(), toLoopback);
        Egress closed = Egress.open(SETTINGS, 5, EgressProbe.inert(), nobody)) {
      EgressRequest request = new EgressRequest(elsewhere, List.of(), Body.EMPTY, LONG);
      assertThat(hooked.exchange(request, new OutboundCall())).isInstanceOf(Response.class);
      assertThat(server.requests().getFirst().header("host"))
          .contains("provider.example:" + server.port());
      assertThat(closed.exchange(request, new OutboundCall())).isInstanceOf(NotSent.class);
    }
  }
}
