package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;

/**
 * A tool that the model may ask for.
 *
 * @param description for the model; may be empty
 * @param schema of its arguments: a JSON Schema, sent as it is
 */
public record OfferedTool(String name, String description, Body schema) {}
