package dev.coatcheck.db.tool;

import java.net.URI;
import java.util.Map;

/** What running a tool means. */
public sealed interface ToolWork {
  /**
   * A POST to somebody's URL.
   *
   * @param headers sent there and nowhere else
   */
  record Http(URI url, Map<String, HeaderValue> headers) implements ToolWork {
    public Http {
      headers = Map.copyOf(headers);
    }

    /** Never the URL's path or query: they may hold a credential. */
    @Override
    public String toString() {
      return "Http";
    }
  }

  /** A statement in this database. */
  record Sql(String statement) implements ToolWork {}

  /** The caller does it. */
  record Caller() implements ToolWork {}
}
