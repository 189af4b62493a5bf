package dev.coatcheck.simulator;

/** The request line and the headers, which is all there is before the body was read. */
public record RequestHead(String method, String target, String version, Headers headers) {
  /** Without the query. */
  public String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** As it was sent; empty where there is none. */
  public String query() {
    int query = target.indexOf('?');
    return query < 0 ? "" : target.substring(query + 1);
  }

  boolean asksForCompletion() {
    return method.equals("POST") && (path().endsWith("/chat/completions") || asksForMessage());
  }

  /** Whether Anthropic's way of asking is used, not OpenAI's. */
  boolean asksForMessage() {
    return method.equals("POST") && path().endsWith("/messages");
  }

  boolean endsConnection() {
    var connection = headers.first("connection").orElse("");
    return connection.equalsIgnoreCase("close")
        || (version.equals("HTTP/1.0") && !connection.equalsIgnoreCase("keep-alive"));
  }
}
