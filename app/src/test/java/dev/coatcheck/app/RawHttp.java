package dev.coatcheck.app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A caller that sends bytes as they are, lawful HTTP or not, and reads one reply to its end. */
record RawHttp(int port) {
  private static final int TIMEOUT_MS = 20_000;
  private static final int SMALL = 4_096;

  Http.Reply send(String request) {
    return send(request.getBytes(StandardCharsets.ISO_8859_1));
  }

  Http.Reply send(byte[] request) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      return read(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads so many bytes of the reply, if any, and is gone. */
  void sendAndHangUp(String request, int read) {
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(SMALL);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getInputStream().readNBytes(read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads while it writes, as a browser does: up to the reply, or to where the server closes. */
  Http.Reply sendEndlessly(String head, byte[] chunk, int times) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MS);
      Thread.ofVirtual().start(() -> write(socket, head, chunk, times));
      return read(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Socket socket, String head, byte[] chunk, int times) {
    try {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      for (int i = 0; i < times; i++) {
        socket.getOutputStream().write(chunk);
      }
    } catch (IOException e) {
      // The server has had enough, which its reply says.
    }
  }

  private static Http.Reply read(Socket socket) throws IOException {
    var in = socket.getInputStream();
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("no reply: " + head);
      }
      head.write(b);
    }
    String[] lines = head.toString(StandardCharsets.ISO_8859_1).split("\r\n", -1);
    Map<String, List<String>> headers = new HashMap<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers
            .computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
    }
    HttpHeaders all = HttpHeaders.of(headers, (name, value) -> true);
    int length = all.firstValue("Content-Length").map(Integer::parseInt).orElse(0);
    byte[] body = in.readNBytes(length);
    return new Http.Reply(Integer.parseInt(lines[0].split(" ", -1)[1]), all, new Http.Bytes(body));
  }
}
