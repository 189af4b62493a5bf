package dev.coatcheck.worker.egress;

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

  static HttpPost write(HttpPost post, EgressRequest request) {
    post.setConfig(ApacheClient.within(request.timeout()));
    request.headers().forEach(header -> post.addHeader(header.name(), header.value()));
    post.setEntity(new BodyEntity(request.body()));
    return post;
  }

  private static final class BodyEntity extends AbstractHttpEntity {
    private final Body body;

    BodyEntity(Body body) {
      super((ContentType) null, null);
      this.body = body;
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
      body.writeTo(out);
    }

    @Override
    public boolean isStreaming() {
      return false;
    }

    @Override
    public void close() {}
  }
}
