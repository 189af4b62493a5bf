package dev.coatcheck.worker.provider;

/**
 * What a call of a tool brought, for the model.
 *
 * @param callId the provider's own, from the turn that asked for it
 * @param name the tool's
 * @param content for the model to read
 */
public record ToolResult(String callId, String name, String content, Kind kind) {
  /** Whether the tool did what was asked. */
  public enum Kind {
    RESULT,
    ERROR
  }

  /** Never the content. */
  @Override
  public String toString() {
    return "ToolResult[" + kind + "]";
  }
}
