package dev.coatcheck.worker.raw;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** One connection, as the server sees it. */
public final class Conversation {
  private final Socket socket;
  private final InputStream in;

  Conversation(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** What came in, as it came. */
  public record Request(String head, String body) {
    public Optional<String> header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .findFirst();
    }

    public String line() {
      return head.lines().findFirst().orElse("");
    }
  }

  Request readRequest() throws IOException {
    String head = readHead();
    Request request = new Request(head, "");
    int length = request.header("content-length").map(Integer::parseInt).orElse(0);
    byte[] body = in.readNBytes(length);
    return new Request(head, new String(body, StandardCharsets.UTF_8));
  }

  private String readHead() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  /** A whole answer; the connection stays. */
  public void answer(int status, String body, String... headers) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    write(head(status, "Content-Length: " + bytes.length, headers));
    write(bytes);
  }

  public static String head(int status, String framing, String... headers) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Some Reason\r\n");
    head.append(framing).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  public void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  public void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Reads so much and no more. */
  public void read(int bytes) throws IOException {
    in.skipNBytes(bytes);
  }

  /** A TCP reset instead of a farewell. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  public void hangUp() throws IOException {
    socket.close();
  }

  /** Does nothing until the client hangs up; true if it did so within the limit. */
  public boolean waitForHangUp(int limitMillis) throws IOException {
    socket.setSoTimeout(limitMillis);
    try {
      return in.transferTo(OutputStream.nullOutputStream()) >= 0;
    } catch (SocketTimeoutException still) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }
}
