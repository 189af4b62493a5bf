package dev.coatcheck.simulator;

/** Answers with status 200 that are none. */
public final class Nonsense {
  private Nonsense() {}

  /** JSON that stops in the middle, of the length that was announced. */
  public static Reply badJson() {
    return Reply.json(
        200, "{\"id\":\"chatcmpl-sim\",\"object\":\"chat.completion\",\"choices\":[{\"ind");
  }

  /** The page of a proxy that never asked the model. */
  public static Reply html() {
    return Reply.html(200, "<!doctype html><title>Bad gateway</title><h1>502 Bad gateway</h1>");
  }

  /** An error where a completion belongs. */
  public static Reply errorInside200() {
    return Reply.json(200, OpenAiErrors.serverError().body().text());
  }

  public static Reply noChoices() {
    return Reply.json(
        200,
        """
        {"id":"chatcmpl-sim","object":"chat.completion","created":1764547200,"model":"simulated",\
        "choices":[],"usage":{"prompt_tokens":9,"completion_tokens":0,"total_tokens":9}}""");
  }

  public static Reply emptyBody() {
    return Reply.of(200, "application/json", Body.EMPTY);
  }
}
