package dev.coatcheck.worker.retry;

import dev.coatcheck.worker.retry.ErrorBody.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Finds the error in a body by its shape: {@code error} as object, string, number or array; an
 * array of such bodies; {@code type} or {@code object} that says "error"; bare {@code message} or
 * {@code detail}.
 */
final class ReadErrorBody {
  private static final Pattern DIGITS = Pattern.compile("[45]\\d\\d");
  private static final List<String> STATUS_MEMBERS =
      List.of("code", "status", "raw_status_code", "status_code", "statusCode", "http_status");
  private static final List<String> MESSAGE_MEMBERS = List.of("message", "msg", "detail");
  private static final int MAX_DETAILS = 50;

  private ReadErrorBody() {}

  static ErrorBody read(@Nullable JsonNode body) {
    JsonNode root = root(body);
    JsonNode error = error(root);
    Presence present = isPresent(root, error) ? Presence.ERROR : Presence.NONE;
    return new ErrorBody(
        present, codes(root, error), status(root, error), message(root, error), error);
  }

  /** Whether there is one, without reading what it says: asked of each event of a stream. */
  static boolean isError(JsonNode body) {
    JsonNode root = root(body);
    return isPresent(root, error(root));
  }

  /** Google's stream without SSE is an array of bodies. */
  private static JsonNode root(@Nullable JsonNode body) {
    if (body == null) {
      return MissingNode.getInstance();
    }
    return body.isArray() ? firstWithError(body) : body;
  }

  private static JsonNode firstWithError(JsonNode array) {
    for (JsonNode element : array) {
      if (element.has("error")) {
        return element;
      }
    }
    return array.path(0);
  }

  private static JsonNode error(JsonNode root) {
    JsonNode error = root.path("error");
    return error.isArray() ? error.path(0) : error;
  }

  private static boolean isPresent(JsonNode root, JsonNode error) {
    boolean isSomething =
        (error.isObject() && !error.isEmpty())
            || (error.isString() && !error.stringValue().isBlank())
            || error.isNumber();
    return isSomething
        || "error".equals(text(root.path("object")))
        || "error".equals(text(root.path("type")))
        || "failed".equals(text(root.path("status")));
  }

  private static List<String> codes(JsonNode root, JsonNode error) {
    List<String> codes = new ArrayList<>();
    add(codes, error.isObject() ? error.path("code") : error);
    add(codes, error.path("status"));
    add(codes, error.path("type"));
    add(codes, error.path("innererror").path("code"));
    int details = 0;
    for (JsonNode detail : error.path("details")) {
      add(codes, detail.path("reason"));
      if (++details == MAX_DETAILS) {
        break;
      }
    }
    add(codes, root.path("code"));
    add(codes, root.path("type"));
    add(codes, root.path("__type"));
    codes.remove("error");
    return List.copyOf(codes);
  }

  private static void add(List<String> codes, JsonNode node) {
    String code = text(node);
    if (!code.isEmpty()) {
      codes.add(code);
    }
  }

  private static @Nullable Integer status(JsonNode root, JsonNode error) {
    if (!error.isObject() && DIGITS.matcher(text(error)).matches()) {
      return Integer.valueOf(text(error));
    }
    return statusIn(error).or(() -> statusIn(root)).orElse(null);
  }

  private static Optional<Integer> statusIn(JsonNode node) {
    return STATUS_MEMBERS.stream()
        .map(member -> text(node.path(member)))
        .filter(digits -> DIGITS.matcher(digits).matches())
        .map(Integer::valueOf)
        .findFirst();
  }

  private static String message(JsonNode root, JsonNode error) {
    Optional<String> nested = messageIn(error);
    if (nested.isPresent()) {
      return nested.get();
    }
    Optional<String> plain = messageIn(root);
    String itself = error.isString() ? error.stringValue() : "";
    // Scaleway has the code in error and the words beside it.
    return plain.map(words -> itself.isEmpty() ? words : itself + ": " + words).orElse(itself);
  }

  private static Optional<String> messageIn(JsonNode node) {
    return MESSAGE_MEMBERS.stream()
        .map(node::path)
        .map(found -> found.isArray() ? found.path(0).path("msg") : found)
        .filter(JsonNode::isString)
        .map(JsonNode::stringValue)
        .filter(words -> !words.isBlank())
        .findFirst();
  }

  private static String text(JsonNode node) {
    if (node.isString()) {
      return node.stringValue();
    }
    return node.isIntegralNumber() && node.canConvertToInt() ? node.asString() : "";
  }
}
