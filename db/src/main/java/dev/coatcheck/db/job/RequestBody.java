package dev.coatcheck.db.job;

import dev.coatcheck.db.json.RawJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A submit's body, as the caller sent it and {@code job_request} keeps it. What goes to a provider
 * is cut out of it, never written anew: prompt caches depend on member order and on how numbers are
 * spelt.
 */
public final class RequestBody {
  private static final byte[] BEFORE_PROMPT =
      "[{\"role\":\"user\",\"content\":".getBytes(StandardCharsets.UTF_8);
  private static final byte[] AFTER_PROMPT = "}]".getBytes(StandardCharsets.UTF_8);

  private static final byte[] NO_PARAMS = "{}".getBytes(StandardCharsets.UTF_8);

  private final byte[] accepted;
  private final RawJson root;

  /**
   * @param accepted bytes of a body that intake has accepted
   */
  public RequestBody(byte[] accepted) {
    this.accepted = accepted;
    this.root = RawJson.of(accepted);
  }

  /** The whole body, byte for byte. Not a copy: leave it as it is. */
  public byte[] bytes() {
    return accepted;
  }

  /** The whole body as a value. */
  public RawJson root() {
    return root;
  }

  /** A top-level member; a null counts as absent. */
  public Optional<RawJson> member(String name) {
    return root.member(name).filter(value -> value.kind() != RawJson.Kind.NULL);
  }

  /** The JSON array of messages: the caller's own bytes, or one user message around the prompt. */
  public byte[] messages() {
    return member("messages")
        .map(RawJson::bytes)
        .orElseGet(() -> userMessage(member("prompt").orElseThrow()));
  }

  /** The members of {@code params} in the caller's order; none if there are no params. */
  public List<RawJson.Member> params() {
    return member("params").map(RawJson::members).orElse(List.of());
  }

  /** The object {@code params} itself, empty if there is none. */
  public byte[] paramsObject() {
    return member("params").map(RawJson::bytes).orElseGet(NO_PARAMS::clone);
  }

  /** Whether the answer is to be read as it comes. */
  public boolean isStreamed() {
    return member("stream").filter(stream -> stream.spelling().equals("true")).isPresent();
  }

  private static byte[] userMessage(RawJson prompt) {
    var message = new ByteArrayOutputStream(BEFORE_PROMPT.length + prompt.length() + 2);
    message.writeBytes(BEFORE_PROMPT);
    message.writeBytes(prompt.bytes());
    message.writeBytes(AFTER_PROMPT);
    return message.toByteArray();
  }
}
