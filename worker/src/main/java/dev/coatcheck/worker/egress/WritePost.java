package dev.coatcheck.worker.egress;

import dev.coatcheck.db.probe.Checkpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;

/** Puts a request into the client's form, without copying its body. */
final class WritePost {
  private WritePost() {}

  static HttpPost write(HttpPost post, EgressRequest request, Exchange exchange) {
    post.setConfig(ApacheClient.within(request.timeout()));
    request.headers().forEach(header -> post.addHeader(header.name(), header.value()));
    post.setEntity(new BodyEntity(request.body(), exchange));
    return post;
  }

  private static final class BodyEntity extends AbstractHttpEntity {
    private final Body body;
    private final Exchange exchange;

    BodyEntity(Body body, Exchange exchange) {
      super((ContentType) null, null);
      this.body = body;
      this.exchange = exchange;
    }

    @Override
    public long getContentLength() {
      return body.length();
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public @Nullable InputStream getContent() {
      throw new UnsupportedOperationException("the body is only written");
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      int half = body.length() / 2;
      body.slice(0, half).writeTo(out);
      exchange.reach(Checkpoint.K2_HALF_SENT);
      body.slice(half, body.length()).writeTo(out);
      out.flush();
      exchange.reach(Checkpoint.K3_SENT);
    }

    @Override
    public boolean isStreaming() {
      return false;
    }

    @Override
    public void close() {}
  }
}
