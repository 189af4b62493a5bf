package dev.coatcheck.simulator;

/** A tool the model asks for. The arguments are JSON text, or what a model takes for it. */
public record ToolCall(String name, String arguments) {}
