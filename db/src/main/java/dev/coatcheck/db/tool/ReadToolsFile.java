package dev.coatcheck.db.tool;

import dev.coatcheck.db.json.JsonFault;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Finds the tools file, JSON or YAML, and reads it. */
final class ReadToolsFile {
  /** Bytes of the file. */
  private static final int MAX_FILE = 4 << 20;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private ReadToolsFile() {}

  /**
   * @param location a path, or a {@code file:} or {@code classpath:} URL
   */
  static Tools read(String location, Function<String, Optional<String>> environment) {
    byte[] bytes = bytes(resource(location));
    return new ReadTools(environment)
        .read(RawJson.of(isYaml(location) ? json(bytes) : checked(bytes)));
  }

  private static Resource resource(String location) {
    boolean isUrl = location.startsWith("file:") || location.startsWith("classpath:");
    return isUrl
        ? new DefaultResourceLoader().getResource(location)
        : new FileSystemResource(location);
  }

  private static byte[] bytes(Resource file) {
    try (InputStream in = file.getInputStream()) {
      byte[] bytes = in.readNBytes(MAX_FILE + 1);
      if (bytes.length > MAX_FILE) {
        throw ReadTools.fault("the file is larger than 4 MiB");
      }
      return bytes;
    } catch (IOException e) {
      throw ReadTools.fault("the file cannot be read");
    }
  }

  private static boolean isYaml(String location) {
    String lower = location.toLowerCase(Locale.ROOT);
    return lower.endsWith(".yaml") || lower.endsWith(".yml");
  }

  private static byte[] checked(byte[] bytes) {
    Optional<JsonFault> fault = StrictJson.faultOf(bytes);
    if (fault.isPresent()) {
      throw ReadTools.fault(
          "the file is not JSON: " + fault.get().detail().replace("the body", "it"));
    }
    return bytes;
  }

  private static byte[] json(byte[] yaml) {
    try {
      JsonNode tree = YAML.readTree(yaml);
      return checked(JSON.writeValueAsBytes(tree));
    } catch (JacksonException e) {
      throw ReadTools.fault("the file is not YAML: " + e.getOriginalMessage());
    }
  }
}
