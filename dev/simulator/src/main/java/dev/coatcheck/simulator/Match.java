package dev.coatcheck.simulator;

import java.util.Optional;

/** Which requests a script is for, and which of them are counted together. */
@FunctionalInterface
public interface Match {
  /** What the request is counted under; empty where the script is not for it. */
  Optional<String> keyOf(ReceivedRequest request);

  static Match any() {
    return request -> Optional.of("");
  }

  /** The text of the user's last message has the marker in it. */
  static Match prompt(String marker) {
    return request -> keyIf(request.prompt().contains(marker));
  }

  /** The body has the marker in it, whatever it is the body of. */
  static Match body(String marker) {
    return request -> keyIf(request.body().text().contains(marker));
  }

  /** The field {@code user} of the chat request. */
  static Match user(String user) {
    return request -> keyIf(request.user().equals(user));
  }

  static Match header(String name, String value) {
    return request -> keyIf(request.headers().all(name).contains(value));
  }

  /** The path without its query. */
  static Match path(String path) {
    return request -> keyIf(request.path().equals(path));
  }

  /** Every chat request, each prompt counted by itself. */
  static Match eachPrompt() {
    return request -> Optional.of(request.prompt()).filter(prompt -> !prompt.isEmpty());
  }

  /** Both; counted under the two keys together. */
  default Match and(Match other) {
    return request ->
        keyOf(request).flatMap(mine -> other.keyOf(request).map(theirs -> mine + "\n" + theirs));
  }

  private static Optional<String> keyIf(boolean matches) {
    return matches ? Optional.of("") : Optional.empty();
  }
}
