package dev.coatcheck.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.chaos.Weather.Way;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
  private static final int LIMIT_MS = 10_000;
  private static final int SILENCE_MS = 300;

  private ServerSocket echo;
  private FaultProxy proxy;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
    proxy = FaultProxy.before(echo.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    echo.close();
  }

  private void serve() {
    try {
      while (true) {
        var socket = echo.accept();
        Thread.ofVirtual().start(() -> answer(socket));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void answer(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // Cut, as it was meant to be.
    }
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(LIMIT_MS);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  private static String read(Socket socket, int length) throws IOException {
    return new String(socket.getInputStream().readNBytes(length), UTF_8);
  }

  @Test
  void in_fair_weather_everything_passes_and_ends_with_its_sender() throws Exception {
    try (var socket = connect()) {
      send(socket, "x".repeat(100_000));
      socket.shutdownOutput();
      assertThat(socket.getInputStream().readAllBytes()).hasSize(100_000);
    }
    assertThat(proxy.connectionsReset()).isZero();
  }

  @Test
  void a_cut_resets_open_connections_and_new_ones() throws Exception {
    try (var socket = connect()) {
      send(socket, "before");
      assertThat(read(socket, 6)).isEqualTo("before");
      proxy.set(new Weather.Cut());
      assertThatThrownBy(() -> read(socket, 1)).isInstanceOf(SocketException.class);
      try (var late = connect()) {
        assertThatThrownBy(() -> read(late, 1)).isInstanceOf(SocketException.class);
      }
    }
    assertThat(proxy.connectionsReset()).isPositive();
    proxy.set(new Weather.Fair());
    assertPasses();
  }

  private void assertPasses() throws IOException {
    try (var socket = connect()) {
      send(socket, "after");
      assertThat(read(socket, 5)).isEqualTo("after");
    }
  }

  @Test
  void when_refused_nobody_listens_until_it_clears() throws Exception {
    proxy.set(new Weather.Refused());
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    proxy.set(new Weather.Fair());
    assertPasses();
  }

  @Test
  void a_silent_way_keeps_its_bytes_until_it_clears() throws Exception {
    for (var way : Way.values()) {
      proxy.set(new Weather.Silent(Set.of(way)));
      try (var socket = connect()) {
        send(socket, "held");
        socket.setSoTimeout(SILENCE_MS);
        assertThatThrownBy(() -> read(socket, 1)).isInstanceOf(SocketTimeoutException.class);
        proxy.set(new Weather.Fair());
        socket.setSoTimeout(LIMIT_MS);
        assertThat(read(socket, 4)).isEqualTo("held");
      }
    }
  }

  @Test
  void what_was_sent_into_silence_is_lost_in_a_cut() throws Exception {
    try (var socket = connect()) {
      proxy.set(new Weather.Silent(Set.of(Way.TO_CLIENT)));
      send(socket, "lost");
      proxy.set(new Weather.Cut());
      assertThatThrownBy(() -> read(socket, 1)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void in_slow_weather_everything_passes_late() throws Exception {
    proxy.set(new Weather.Slow(Duration.ofMillis(100), 10_000));
    try (var socket = connect()) {
      long start = System.nanoTime();
      send(socket, "slowly ".repeat(200));
      assertThat(read(socket, 1_400)).hasSize(1_400);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(2 * (100 + 140)));
    }
  }

  @Test
  void a_server_that_is_away_looks_like_a_cut() throws Exception {
    echo.close();
    try (var socket = connect()) {
      assertThatThrownBy(() -> read(socket, 1)).isInstanceOf(SocketException.class);
    }
  }
}
