package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.util.List;

/**
 * What a model is to go on from.
 *
 * @param messages the caller's, a JSON array, sent as it is
 * @param turns the job's own so far, oldest first
 * @param tools that the model may ask for
 */
public record Dialogue(Body messages, List<PastTurn> turns, List<OfferedTool> tools) {
  public Dialogue {
    turns = List.copyOf(turns);
    tools = List.copyOf(tools);
  }

  /** The caller's messages and nothing else. */
  public static Dialogue of(Body messages) {
    return new Dialogue(messages, List.of(), List.of());
  }
}
