package dev.coatcheck.worker.provider;

import tools.jackson.databind.JsonNode;

/** What a 2xx body holds. */
sealed interface Reading {
  record Usable(Answer answer) implements Reading {}

  /**
   * An error instead of an answer.
   *
   * @param body the error's own body, as if it had come with its status
   */
  record Failed(JsonNode body) implements Reading {}

  /** The provider's content rules stopped the prompt. */
  record Blocked(String words) implements Reading {}

  /** A stream that broke off before the answer's end. */
  record Unfinished() implements Reading {}

  /** Neither an answer nor an error. */
  record Unusable(String words) implements Reading {}
}
