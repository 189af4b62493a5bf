package dev.coatcheck.worker.egress;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/** Reads a response to its end or to a limit; keeps what it has read if it breaks off. */
final class ReadResponse {
  private final long limit;
  private final Exchange exchange;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private int status;
  private @Nullable Headers headers;
  private @Nullable EgressResult result;

  ReadResponse(long limit, Exchange exchange) {
    this.limit = limit;
    this.exchange = exchange;
  }

  EgressResult read(ClassicHttpResponse response, HttpPost post) throws IOException {
    status = response.getCode();
    headers = headers(response);
    exchange.headersArrived();
    HttpEntity entity = response.getEntity();
    if (entity != null && (entity.getContentLength() > limit || !readBody(entity))) {
      // Before the stream is closed, which would read on.
      post.abort();
      result = new Lost(Loss.TOO_LARGE, head(), exchange.duration());
    } else {
      result = new Response(status, headers, body(), exchange.duration());
    }
    return result;
  }

  /** False if the limit was reached. */
  private boolean readBody(HttpEntity entity) throws IOException {
    InputStream in = entity.getContent();
    byte[] buffer = new byte[Limits.READ_BUFFER];
    int count = in.read(buffer);
    while (count >= 0) {
      exchange.bytesArrived();
      if (received.size() + count > limit) {
        return false;
      }
      received.write(buffer, 0, count);
      exchange.reach(Checkpoint.K4_MID_BODY);
      count = in.read(buffer);
    }
    return true;
  }

  /** The result, if it stood before something failed: closing may. */
  Optional<EgressResult> result() {
    return Optional.ofNullable(result);
  }

  /** What has arrived; none if not even the headers. */
  @Nullable Head head() {
    return headers == null ? null : new Head(status, headers, body());
  }

  private Body body() {
    return received.size() == 0 ? Body.EMPTY : Body.of(received.toByteArray());
  }

  private static Headers headers(ClassicHttpResponse response) {
    Map<String, List<String>> fields = new TreeMap<>();
    for (Header header : response.getHeaders()) {
      fields
          .computeIfAbsent(header.getName().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
          .add(header.getValue() == null ? "" : header.getValue());
    }
    return new Headers(fields);
  }
}
