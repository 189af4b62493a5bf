package dev.coatcheck.worker.egress;

import dev.coatcheck.worker.raw.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.unit.DataSize;

/** A door, and a server on the other side that does as it is told. */
@Timeout(30)
abstract class EgressFixture {
  static final Duration LONG = Duration.ofSeconds(20);

  static final Duration SHORT = Duration.ofMillis(400);

  static final EgressSettings SETTINGS =
      new EgressSettings(
          Duration.ofMillis(500), Duration.ofMillis(200), DataSize.ofMegabytes(1), null, null);

  final Egress egress = Egress.open(SETTINGS, 50, EgressProbe.inert(), ResolveHost.system(LONG));

  final RawServer server = start();

  static RawServer start() {
    try {
      return RawServer.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stop() throws IOException {
    egress.close();
    server.close();
  }

  EgressResult post(Duration timeout) {
    return post(server.uri(), Body.utf8("{\"a\":1}"), timeout);
  }

  EgressResult post(URI uri, Body body, Duration timeout) {
    return egress.exchange(new EgressRequest(uri, List.of(), body, timeout), new OutboundCall());
  }

  /** Fills the backlog of a listener that never accepts: the next SYN is not answered. */
  static List<Socket> fill(ServerSocket listener) throws IOException {
    List<Socket> fillers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Socket filler = new Socket();
      fillers.add(filler);
      try {
        filler.connect(listener.getLocalSocketAddress(), 50);
      } catch (java.net.SocketTimeoutException isFull) {
        return fillers;
      }
    }
    return fillers;
  }

  static URI uri(ServerSocket listener) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
  }

  static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }
}
