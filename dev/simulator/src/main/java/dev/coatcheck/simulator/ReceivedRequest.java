package dev.coatcheck.simulator;

import java.time.Instant;
import java.util.Optional;

/**
 * A request as it arrived.
 *
 * @param number counts from one in order of arrival; it is also in the answer's {@code
 *     x-request-id} and in a completion's id
 * @param connection counts connections, so that reuse can be seen
 */
public record ReceivedRequest(
    long number, long connection, Instant arrivedAt, RequestHead head, Payload payload) {

  /** The body, and what was understood of it. */
  record Payload(Body body, int receivedBytes, Optional<ChatRequest> chat) {
    static final Payload NONE = new Payload(Body.EMPTY, 0, Optional.empty());

    static Payload of(RequestHead head, Body body) {
      var chat = head.asksForCompletion() ? ChatRequest.in(body) : Optional.<ChatRequest>empty();
      return new Payload(body, body.length(), chat);
    }
  }

  public String method() {
    return head.method();
  }

  /** Without the query. */
  public String path() {
    return head.path();
  }

  public Headers headers() {
    return head.headers();
  }

  /** Empty where the ledger was told, or had no room, to keep it; see {@link #bodyBytes}. */
  public Body body() {
    return payload.body();
  }

  /** How many bytes the body had when it arrived. */
  public int bodyBytes() {
    return payload.receivedBytes();
  }

  /** The text of the last message from the user; empty where this is no chat request. */
  public String prompt() {
    return payload.chat().map(ChatRequest::prompt).orElse("");
  }

  /** The field {@code user} of a chat request. */
  public String user() {
    return payload.chat().map(ChatRequest::user).orElse("");
  }

  ReceivedRequest withoutBody() {
    var none = new Payload(Body.EMPTY, payload.receivedBytes(), Optional.empty());
    return new ReceivedRequest(number, connection, arrivedAt, head, none);
  }
}
