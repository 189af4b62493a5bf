package dev.coatcheck.db.tool;

import java.time.Duration;

/**
 * A tool as the tools file has it.
 *
 * @param description for the model; may be empty
 * @param parameters of its arguments
 * @param timeout one sending of it, from connect to the last byte, or its statement
 */
public record ToolDefinition(
    String name,
    String description,
    ArgumentSchema parameters,
    ToolSafety safety,
    Approval approval,
    Duration timeout,
    ToolWork work) {
  /** The most that a timeout may be. */
  public static final Duration LONGEST = Duration.ofHours(1);
}
