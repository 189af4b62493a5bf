package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.util.List;

/**
 * A turn that is recorded, and what came of the tools it asked for.
 *
 * @param message the assistant message exactly as it was recorded
 * @param results one for each call, in the order of the calls
 */
public record PastTurn(Body message, List<ToolResult> results) {
  public PastTurn {
    results = List.copyOf(results);
  }
}
