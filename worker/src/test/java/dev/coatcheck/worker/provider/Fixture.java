package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a dialect's folder holds: answers whole and streamed, and errors. */
record Fixture(String dialect) {
  /** An error body, and the code of an attempt that it ends. */
  record ErrorCase(int status, String body, String code) {
    @Override
    public String toString() {
      return status + " " + code;
    }
  }

  byte[] bytes(String file) {
    String path = "/dialect/" + dialect + "/" + file;
    try (InputStream in = Fixture.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("there is no fixture " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text(String file) {
    return new String(bytes(file), StandardCharsets.UTF_8);
  }

  Json json(String file) {
    return Json.parse(Body.of(bytes(file))).orElseThrow();
  }

  List<ErrorCase> errors() {
    List<ErrorCase> errors = new ArrayList<>();
    for (JsonNode one : json("errors.json").tree()) {
      errors.add(
          new ErrorCase(
              one.path("status").asInt(),
              one.path("body").toString(),
              one.path("code").asString()));
    }
    return errors;
  }
}
