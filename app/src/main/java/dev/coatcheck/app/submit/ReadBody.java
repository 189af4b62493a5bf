package dev.coatcheck.app.submit;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads a request's body, and no more of it than is taken. */
public final class ReadBody {
  /** The largest body. */
  static final int MAX_BYTES = 4 << 20;

  private ReadBody() {}

  /** The bytes, counted while reading; empty if there are more than {@link #MAX_BYTES}. */
  public static Optional<byte[]> of(HttpServletRequest request) throws IOException {
    if (request.getContentLengthLong() > MAX_BYTES) {
      return Optional.empty();
    }
    InputStream in = request.getInputStream();
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    return bytes.length > MAX_BYTES ? Optional.empty() : Optional.of(bytes);
  }
}
