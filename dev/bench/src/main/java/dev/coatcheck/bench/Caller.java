package dev.coatcheck.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;

/**
 * A caller with one keep-alive connection, and another one when the server has closed that. It
 * reads bytes and little more, since the load shares its cores with what it measures.
 */
final class Caller implements AutoCloseable {
  private static final int TIMEOUT_MS = 30_000;
  private static final int MAX_LINE = 16_384;

  private final URI server;
  private Socket socket = new Socket();
  private InputStream in = InputStream.nullInputStream();

  /** An answer, with the one header that callers need. */
  record Answer(int status, String location, byte[] body) {
    String text() {
      return new String(body, UTF_8);
    }

    Answer expect(int wanted) {
      if (status != wanted) {
        throw new BenchFailed("answered %d instead of %d: %s".formatted(status, wanted, text()));
      }
      return this;
    }
  }

  Caller(URI server) throws IOException {
    this.server = server;
    connect();
  }

  private void connect() throws IOException {
    socket.close();
    socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), TIMEOUT_MS);
    in = new BufferedInputStream(socket.getInputStream(), MAX_LINE);
  }

  Answer get(String path, String headers) throws IOException {
    return send(
        "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
            .formatted(path, server.getAuthority(), headers)
            .getBytes(UTF_8));
  }

  Answer post(String path, String headers, String body) throws IOException {
    return send(postRequest(path, headers, body));
  }

  /** A request that is to be sent later, with nothing left to do. */
  byte[] postRequest(String path, String headers, String body) {
    var length = body.getBytes(UTF_8).length;
    var head =
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
            .formatted(path, server.getAuthority(), length);
    return (head + headers + "\r\n" + body).getBytes(UTF_8);
  }

  Answer send(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    var statusLine = line();
    int status = Integer.parseInt(statusLine.substring(9, 12));
    var location = "";
    int length = 0;
    var chunked = false;
    var last = false;
    for (var line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      var value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "location" -> location = value;
        case "content-length" -> length = Integer.parseInt(value);
        case "transfer-encoding" -> chunked = true;
        case "connection" -> last = value.equalsIgnoreCase("close");
        default -> {}
      }
    }
    var answer = new Answer(status, location, chunked ? chunks() : exactly(length));
    if (last) {
      connect();
    }
    return answer;
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      body.writeBytes(exactly(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private byte[] exactly(int length) throws IOException {
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the answer ended early");
    }
    return bytes;
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.size() > MAX_LINE) {
        throw new EOFException("the connection was closed");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
