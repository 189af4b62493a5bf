package dev.coatcheck.simulator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * An HTTP answer, word for word. {@code date}, {@code x-request-id} and {@code
 * openai-processing-ms} are added where it does not name them itself.
 */
public record Reply(int status, Headers headers, Body body, Framing framing) implements Whole {
  public Reply {
    if (status < 100 || status > 999) {
      throw new IllegalArgumentException("not a status: " + status);
    }
  }

  public static Reply json(int status, String json) {
    return of(status, "application/json", Body.text(json));
  }

  public static Reply html(int status, String html) {
    return of(status, "text/html; charset=utf-8", Body.text(html));
  }

  public static Reply of(int status, String contentType, Body body) {
    var headers = new Headers(List.of(new Header("content-type", contentType)));
    return new Reply(status, headers, body, Framing.LENGTH);
  }

  /** One header line more. */
  public Reply with(String name, String value) {
    return new Reply(status, headers.plus(new Header(name, value)), body, framing);
  }

  public Reply framed(Framing otherwise) {
    return new Reply(status, headers, body, otherwise);
  }

  /** The same body compressed, and said so. */
  public Reply gzipped() {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(body.array());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new Reply(status, headers, new Body(packed.toByteArray()), framing)
        .with("content-encoding", "gzip");
  }

  @Override
  public Reply to(ReceivedRequest request) {
    return this;
  }
}
