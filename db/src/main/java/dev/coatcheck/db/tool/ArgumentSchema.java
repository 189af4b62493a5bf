package dev.coatcheck.db.tool;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.coatcheck.db.json.JsonFault;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A tool's JSON Schema: of draft 2020-12 unless it names another. Nothing is fetched for one: a
 * reference outside itself is a fault.
 */
public final class ArgumentSchema {
  /** Violations that a model is told of at once. */
  private static final int MAX_TOLD = 10;

  private static final int MAX_MESSAGE = 300;
  private static final String UNCHECKED =
      "The arguments could not be checked against the tool's schema";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder
                  .schemaLoader(loader -> loader.fetchRemoteResources(false))
                  .schemaCacheEnabled(false)
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder()
                          .locale(Locale.ENGLISH)
                          .preloadSchema(true)
                          .regularExpressionFactory(BoundedPattern::new)
                          .build()));

  private final RawJson json;
  private final Schema schema;

  private ArgumentSchema(RawJson json, Schema schema) {
    this.json = json;
    this.schema = schema;
  }

  /**
   * @throws IllegalArgumentException says what is wrong with it
   */
  static ArgumentSchema of(RawJson json) {
    if (json.kind() != RawJson.Kind.OBJECT) {
      throw new IllegalArgumentException("is no JSON Schema: it must be an object");
    }
    JsonNode node = MAPPER.readTree(json.spelling());
    JsonNode type = node.path("type");
    if (!type.isMissingNode() && !type.asString("").equals("object")) {
      throw new IllegalArgumentException("must have the type \"object\"");
    }
    if (refersOutside(node)) {
      throw new IllegalArgumentException("is no valid JSON Schema here: a $ref leads out of it");
    }
    try {
      List<Error> faults = metaSchema(node).validate(node);
      if (!faults.isEmpty()) {
        throw new IllegalArgumentException("is no valid JSON Schema: " + words(faults));
      }
      return new ArgumentSchema(json, REGISTRY.getSchema(node));
    } catch (SchemaException e) {
      throw new IllegalArgumentException("is no valid JSON Schema: " + e.getMessage(), e);
    }
  }

  private static boolean refersOutside(JsonNode node) {
    JsonNode ref = node.path("$ref");
    if (ref.isString() && !ref.stringValue().startsWith("#")) {
      return true;
    }
    for (JsonNode child : node) {
      if (refersOutside(child)) {
        return true;
      }
    }
    return false;
  }

  private static Schema metaSchema(JsonNode node) {
    String dialect =
        node.path("$schema").asString(SpecificationVersion.DRAFT_2020_12.getDialectId());
    if (SpecificationVersion.fromDialectId(dialect).isEmpty()) {
      throw new IllegalArgumentException("names an unknown $schema");
    }
    return REGISTRY.getSchema(SchemaLocation.of(dialect));
  }

  /** The schema as it is spelt, for a model. Not a copy: leave it as it is. */
  public byte[] bytes() {
    return json.bytes();
  }

  /** What is wrong with a model's arguments, in words that it can act on; empty if nothing is. */
  public Optional<String> faultOf(byte[] arguments) {
    Optional<JsonFault> broken = StrictJson.faultOf(arguments);
    if (broken.isPresent()) {
      return Optional.of(
          "The arguments are not JSON: " + broken.get().detail().replace("the body", "the text"));
    }
    if (RawJson.of(arguments).kind() != RawJson.Kind.OBJECT) {
      return Optional.of("The arguments must be a JSON object");
    }
    try {
      List<Error> faults =
          schema.validate(new String(arguments, StandardCharsets.UTF_8), InputFormat.JSON);
      return faults.isEmpty()
          ? Optional.empty()
          : Optional.of("The arguments do not fit the tool's schema: " + words(faults));
    } catch (BoundedPattern.GivenUp | StackOverflowError e) {
      // A pattern nests as deep as the text is long.
      return Optional.of(UNCHECKED + ": a text is too much for a pattern there");
    } catch (RuntimeException e) {
      // The turn was paid for, and must not be lost on a schema that the library cannot apply.
      return Optional.of(UNCHECKED);
    }
  }

  private static String words(List<Error> faults) {
    String told =
        faults.stream()
            .limit(MAX_TOLD)
            .map(ArgumentSchema::words)
            .collect(Collectors.joining("; "));
    return faults.size() <= MAX_TOLD
        ? told
        : told + "; and " + (faults.size() - MAX_TOLD) + " more";
  }

  private static String words(Error fault) {
    String where = fault.getInstanceLocation().toString();
    String words = (where.isEmpty() ? "" : where + ": ") + fault.getMessage();
    return words.length() <= MAX_MESSAGE ? words : words.substring(0, MAX_MESSAGE);
  }
}
