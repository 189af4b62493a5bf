package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads requests from a connection, strictly: what two readers could understand in two ways is
 * refused.
 */
final class RequestReader {
  static final int MAX_HEAD_BYTES = 64 * 1024;
  static final int MAX_BODY_BYTES = 64 * 1024 * 1024;
  private static final int MAX_CHUNK_LINE_BYTES = 1024;
  private static final int MAX_TRAILER_LINES = 100;
  private static final int FIRST_BUFFER_BYTES = 2048;
  private static final int LENGTH_DIGITS = 10;

  private final InputStream in;
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int start;
  private int end;

  RequestReader(InputStream in) {
    this.in = in;
  }

  /** Empty when the caller has closed between two requests. */
  Optional<RequestHead> readHead() throws IOException {
    int scanned = 0;
    while (true) {
      int at = endOfHead(start + scanned);
      if ((at < 0 ? end : at) - start > MAX_HEAD_BYTES) {
        throw new MalformedRequest(431, "the head is longer than " + MAX_HEAD_BYTES + " bytes");
      }
      if (at >= 0) {
        var text = new String(buffer, start, at - start, ISO_8859_1);
        start = at + 4;
        return Optional.of(ParseHead.parse(text));
      }
      scanned = Math.max(0, end - start - 3);
      if (fill() < 0) {
        if (start == end) {
          return Optional.empty();
        }
        throw new EOFException("the head is cut");
      }
    }
  }

  Body readBody(RequestHead head) throws IOException {
    var lengths = head.headers().all("content-length");
    var encodings = head.headers().all("transfer-encoding");
    if (lengths.size() + encodings.size() > 1) {
      throw new MalformedRequest(400, "the body's length is told more than once");
    }
    if (!encodings.isEmpty()) {
      if (!encodings.getFirst().equalsIgnoreCase("chunked")) {
        throw new MalformedRequest(501, "only chunked transfer encoding is understood");
      }
      return readChunks();
    }
    return lengths.isEmpty() ? Body.EMPTY : new Body(read(length(lengths.getFirst())));
  }

  /**
   * Reads what there is into the buffer.
   *
   * @return how much it was, negative at the end
   */
  int fill() throws IOException {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (end == buffer.length && start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int count = in.read(buffer, end, buffer.length - end);
    end += Math.max(count, 0);
    return count;
  }

  /** How much was received and not yet taken. */
  int buffered() {
    return end - start;
  }

  private int endOfHead(int from) {
    for (int i = from; i + 3 < end; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private static int length(String text) throws MalformedRequest {
    boolean isNumber = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!isNumber || text.length() > LENGTH_DIGITS) {
      throw new MalformedRequest(400, "not a content length");
    }
    long length = Long.parseLong(text);
    if (length > MAX_BODY_BYTES) {
      throw new MalformedRequest(413, "the body is longer than " + MAX_BODY_BYTES + " bytes");
    }
    return (int) length;
  }

  private byte[] read(int length) throws IOException {
    var bytes = new byte[length];
    int taken = Math.min(length, end - start);
    System.arraycopy(buffer, start, bytes, 0, taken);
    start += taken;
    if (in.readNBytes(bytes, taken, length - taken) < length - taken) {
      throw new EOFException("the body is cut");
    }
    return bytes;
  }

  private Body readChunks() throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      int size = chunkSize(readLine());
      if (size == 0) {
        skipTrailers();
        return new Body(body.toByteArray());
      }
      if (body.size() + size > MAX_BODY_BYTES) {
        throw new MalformedRequest(413, "the body is longer than " + MAX_BODY_BYTES + " bytes");
      }
      body.writeBytes(read(size));
      if (!readLine().isEmpty()) {
        throw new MalformedRequest(400, "a chunk is longer than it said");
      }
    }
  }

  private static int chunkSize(String line) throws MalformedRequest {
    int extension = line.indexOf(';');
    var digits = extension < 0 ? line : line.substring(0, extension).stripTrailing();
    boolean isHex = !digits.isEmpty() && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    if (!isHex || digits.length() > LENGTH_DIGITS) {
      throw new MalformedRequest(400, "not a chunk size");
    }
    long size = Long.parseLong(digits, 16);
    if (size > MAX_BODY_BYTES) {
      throw new MalformedRequest(413, "the body is longer than " + MAX_BODY_BYTES + " bytes");
    }
    return (int) size;
  }

  private void skipTrailers() throws IOException {
    for (int lines = 0; lines < MAX_TRAILER_LINES; lines++) {
      if (readLine().isEmpty()) {
        return;
      }
    }
    throw new MalformedRequest(431, "more than " + MAX_TRAILER_LINES + " trailers");
  }

  private String readLine() throws IOException {
    int length = 0;
    while (true) {
      for (int i = start + length; i + 1 < end; i++) {
        if (buffer[i] == '\r' && buffer[i + 1] == '\n') {
          var line = new String(buffer, start, i - start, ISO_8859_1);
          start = i + 2;
          return line;
        }
      }
      length = Math.max(0, end - start - 1);
      if (length > MAX_CHUNK_LINE_BYTES) {
        throw new MalformedRequest(400, "a chunk's line is too long");
      }
      if (fill() < 0) {
        throw new EOFException("the body is cut");
      }
    }
  }
}
