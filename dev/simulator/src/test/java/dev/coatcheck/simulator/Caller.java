package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Locale;

/** A caller on a bare socket, which sees every byte. */
final class Caller implements AutoCloseable {
  private static final int TIMEOUT_MS = 10_000;

  private final Socket socket;
  private final InputStream in;

  Caller(Simulator simulator) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), simulator.port());
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  record Answered(int status, List<String> headers, Body body) {
    String text() {
      return body.text();
    }

    String header(String name) {
      return headers.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse("");
    }
  }

  static String chat(String prompt) {
    return chatBody(
        "{\"model\":\"m-1\",\"messages\":[{\"role\":\"user\",\"content\":"
            + Quote.of(prompt)
            + "}]}");
  }

  static String chatBody(String json) {
    return post("/v1/chat/completions", json);
  }

  static String post(String path, String json) {
    return "POST "
        + path
        + " HTTP/1.1\r\nhost: x\r\ncontent-length: "
        + json.getBytes(UTF_8).length
        + "\r\n\r\n"
        + json;
  }

  Caller send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
    return this;
  }

  /** Sends a prompt and takes the whole answer in. */
  Answered ask(String prompt) throws IOException {
    return send(chat(prompt)).answer();
  }

  Answered answer() throws IOException {
    var head = List.of(head().split("\r\n", -1));
    var answered =
        new Answered(Integer.parseInt(head.getFirst().split(" ", -1)[1]), head, Body.EMPTY);
    if (answered.header("transfer-encoding").equals("chunked")) {
      return new Answered(answered.status(), head, new Body(readChunks()));
    }
    var length = answered.header("content-length");
    var body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    return new Answered(answered.status(), head, new Body(body));
  }

  /** To the last chunk, or to the end. */
  private byte[] readChunks() throws IOException {
    var body = new ByteArrayOutputStream();
    for (var line = readLine(); !line.isEmpty(); line = readLine()) {
      int size = Integer.parseInt(line, 16);
      body.writeBytes(in.readNBytes(size));
      readLine();
      if (size == 0) {
        break;
      }
    }
    return body.toByteArray();
  }

  private String readLine() throws IOException {
    var line = new StringBuilder();
    for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
      line.append((char) one);
    }
    return line.toString().strip();
  }

  /** The head without its last empty line. */
  String head() throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int one = in.read();
      if (one < 0) {
        throw new IOException("closed after " + head);
      }
      head.append((char) one);
    }
    return head.substring(0, head.length() - 4);
  }

  int read() throws IOException {
    return in.read();
  }

  String read(int bytes) throws IOException {
    return new String(in.readNBytes(bytes), ISO_8859_1);
  }

  byte[] readToEnd() throws IOException {
    var out = new ByteArrayOutputStream();
    in.transferTo(out);
    return out.toByteArray();
  }

  Socket socket() {
    return socket;
  }

  /** Closes before the answer is complete. */
  void leave() throws IOException {
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
