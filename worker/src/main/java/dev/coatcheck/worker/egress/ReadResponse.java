package dev.coatcheck.worker.egress;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.worker.egress.BodySink.Wants;
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
import java.util.Objects;
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
  private final BodySink sink;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private int status;
  private @Nullable Headers headers;
  private @Nullable EgressResult result;

  ReadResponse(long limit, Exchange exchange, BodySink sink) {
    this.limit = limit;
    this.exchange = exchange;
    this.sink = sink;
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
    Take take = sink.opens(status, knownHeaders()) ? new HandOver() : this::keep;
    InputStream in = entity.getContent();
    byte[] buffer = new byte[Limits.READ_BUFFER];
    long total = 0;
    int count = in.read(buffer);
    while (count >= 0) {
      exchange.bytesArrived();
      total += count;
      if (total > limit) {
        return false;
      }
      take.take(buffer, count);
      exchange.reach(Checkpoint.K4_MID_BODY);
      count = in.read(buffer);
    }
    return true;
  }

  private interface Take {
    void take(byte[] bytes, int length);
  }

  private void keep(byte[] bytes, int length) {
    received.write(bytes, 0, length);
  }

  /** Gives the sink what it wants, and waits for the rest no longer than it is worth. */
  private final class HandOver implements Take {
    private Wants wants = Wants.MORE;

    @Override
    public void take(byte[] bytes, int length) {
      if (wants == Wants.NOTHING) {
        return;
      }
      Wants before = wants;
      wants = sink.take(bytes, length);
      if (wants != before) {
        switch (wants) {
          case MORE -> {}
          case REST -> exchange.shortenIdle(Limits.REST);
          case NOTHING -> exchange.endIn(Limits.FAREWELL);
        }
      }
    }
  }

  private Headers knownHeaders() {
    return Objects.requireNonNull(headers);
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
