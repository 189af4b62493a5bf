package dev.coatcheck.app.submit;

import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks what goes to the provider, no stricter than providers are, and the metadata. */
final class CheckContent {
  /** What of the provider's request body is ours to say. */
  static final Set<String> NOT_IN_PARAMS = Set.of("model", "messages", "stream", "tools");

  static final int MAX_PAIRS = 16;
  static final int MAX_NAME = 64;
  static final int MAX_VALUE = 512;

  private CheckContent() {}

  static void check(RequestBody body, Faults faults) {
    checkAsked(body, faults);
    field(body, "params", faults).ifPresent(CheckContent::checkParams);
    field(body, "metadata", faults).ifPresent(CheckContent::checkMetadata);
    field(body, "stream", faults).ifPresent(field -> field.of(RawJson.Kind.BOOLEAN));
  }

  private static void checkAsked(RequestBody body, Faults faults) {
    Optional<Field> prompt = field(body, "prompt", faults);
    Optional<Field> messages = field(body, "messages", faults);
    if (prompt.isPresent() == messages.isPresent()) {
      String message = "exactly one of prompt and messages is required";
      faults.add(prompt.isPresent() ? "messages" : "prompt", message);
      return;
    }
    prompt.ifPresent(field -> field.of(RawJson.Kind.STRING));
    messages.ifPresent(CheckContent::checkMessages);
  }

  private static void checkMessages(Field messages) {
    List<RawJson> elements =
        messages.of(RawJson.Kind.ARRAY).map(RawJson::elements).orElse(List.of());
    if (elements.isEmpty() && messages.value().kind() == RawJson.Kind.ARRAY) {
      messages.fault("must have at least one message");
    }
    for (int i = 0; i < elements.size(); i++) {
      checkMessage(messages.at(i, elements.get(i)));
    }
  }

  private static void checkMessage(Field message) {
    Optional<RawJson> object = message.of(RawJson.Kind.OBJECT);
    if (object.isEmpty()) {
      return;
    }
    Optional<RawJson> role = object.get().member("role");
    if (role.isEmpty() || role.get().kind() != RawJson.Kind.STRING) {
      message.faults().add(message.path() + ".role", "must be a string");
    }
  }

  private static void checkParams(Field params) {
    params.of(RawJson.Kind.OBJECT).map(RawJson::members).orElse(List.of()).stream()
        .filter(member -> NOT_IN_PARAMS.contains(member.name()))
        .forEach(member -> params.in(member).fault("must not be among the params"));
  }

  private static void checkMetadata(Field metadata) {
    List<RawJson.Member> pairs =
        metadata.of(RawJson.Kind.OBJECT).map(RawJson::members).orElse(List.of());
    if (pairs.size() > MAX_PAIRS) {
      metadata.fault("must have at most 16 pairs");
      return;
    }
    for (RawJson.Member pair : pairs) {
      if (length(pair.name()) > MAX_NAME) {
        metadata.fault("must have names of at most 64 characters");
      } else if (pair.value().kind() != RawJson.Kind.STRING
          || length(pair.value().text()) > MAX_VALUE) {
        metadata.in(pair).fault("must be a string of at most 512 characters");
      }
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static Optional<Field> field(RequestBody body, String name, Faults faults) {
    return body.member(name).map(value -> new Field(name, value, faults));
  }
}
