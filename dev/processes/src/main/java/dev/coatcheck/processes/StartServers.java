package dev.coatcheck.processes;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Starts apps and workers of one topology; its caller waits for them and ends them. */
public final class StartServers {
  /** The one API key, of the tenant {@code default}. */
  public static final String API_KEY = "ck_for-this-machine-only";

  private static final String MODEL = "openai/simulated";

  private final StackSettings settings;
  private final URI provider;

  /**
   * @param provider the only one there is
   */
  public StartServers(StackSettings settings, URI provider) {
    this.settings = settings;
    this.provider = provider;
  }

  /**
   * @param name its log's, without the ending
   */
  public ServerProcess app(String name, String jdbcUrl) {
    var properties = common(jdbcUrl);
    properties.put("coatcheck.default-model", MODEL);
    properties.put("coatcheck.api-keys[0].tenant", "default");
    properties.put("coatcheck.api-keys[0].sha256", sha256(API_KEY));
    properties.put("jobrunr.dashboard.enabled", "false");
    return ServerProcess.start(PackagedJars.app(), launch(name, settings.heap().app(), properties));
  }

  /**
   * @param name its log's, without the ending
   */
  public ServerProcess worker(String name, String jdbcUrl) {
    var properties = common(jdbcUrl);
    properties.put("coatcheck.providers.openai.base-url", provider.toString());
    properties.put("coatcheck.providers.openai.api-key", "none");
    return ServerProcess.start(
        PackagedJars.worker(), launch(name, settings.heap().worker(), properties));
  }

  private ServerProcess.Launch launch(String name, String heap, Map<String, String> properties) {
    return new ServerProcess.Launch(
        settings.heap().arguments(heap), properties, settings.logs().resolve(name + ".log"));
  }

  private Map<String, String> common(String jdbcUrl) {
    var properties = new TreeMap<>(settings.properties());
    properties.put("spring.datasource.url", jdbcUrl);
    properties.put("spring.datasource.username", EmbeddedPostgres.USERNAME);
    properties.put("management.endpoints.web.exposure.include", "health,prometheus");
    return properties;
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
