package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.Headers;
import org.jspecify.annotations.Nullable;

/** What came back from a provider, whole or in part. */
record Received(String provider, int status, Headers headers, Body body) {
  boolean isSuccess() {
    return status >= 200 && status <= 299;
  }

  /** None if the body is not JSON. */
  @Nullable Json json() {
    return Json.parse(body).orElse(null);
  }
}
