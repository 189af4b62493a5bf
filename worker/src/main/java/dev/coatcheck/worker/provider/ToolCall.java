package dev.coatcheck.worker.provider;

/**
 * A tool that a model asks for.
 *
 * @param id the provider's name for the call, new each time a turn is asked again
 * @param name as the model spells it; perhaps of no tool
 * @param arguments the model's own text; perhaps no JSON
 */
public record ToolCall(String id, String name, String arguments) {
  /** Never the arguments: they are a model's words about somebody's data. */
  @Override
  public String toString() {
    return "ToolCall";
  }
}
