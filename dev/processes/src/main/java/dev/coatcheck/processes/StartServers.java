package dev.coatcheck.processes;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Starts apps and workers of one topology; its caller waits for them and ends them. */
public final class StartServers {
  /** The one API key, of the tenant {@code default}. */
  public static final String API_KEY = "ck_for-this-machine-only";

  private static final String MODEL = "openai/simulated";

  private static final Duration TIME_TO_TRAIN = Duration.ofMinutes(2);

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
    return app(Program.of(PackagedJars.app()), Site.of(name, jdbcUrl));
  }

  public ServerProcess app(Program program, Site site) {
    var properties = common(site);
    properties.putIfAbsent("coatcheck.default-model", MODEL);
    properties.put("coatcheck.api-keys[0].tenant", "default");
    properties.put("coatcheck.api-keys[0].sha256", sha256(API_KEY));
    properties.putIfAbsent("jobrunr.dashboard.enabled", "false");
    return ServerProcess.start(program, launch(site, settings.heap().app(), properties));
  }

  /**
   * @param name its log's, without the ending
   */
  public ServerProcess worker(String name, String jdbcUrl) {
    return worker(Program.of(PackagedJars.worker()), Site.of(name, jdbcUrl));
  }

  public ServerProcess worker(Program program, Site site) {
    var properties = common(site);
    properties.put("coatcheck.providers.openai.base-url", provider.toString());
    properties.putIfAbsent("coatcheck.providers.openai.api-key", "none");
    return ServerProcess.start(program, launch(site, settings.heap().worker(), properties));
  }

  /**
   * Starts a server once and ends it, so that the next ones start with what this one has loaded and
   * linked.
   *
   * @param start one of this one's two
   */
  public static void train(BiFunction<Program, Site, ServerProcess> start, Trained trained) {
    var site = trained.site;
    var jvm = new ArrayList<>(site.jvm());
    jvm.addAll(List.of("-XX:AOTCacheOutput=" + trained.cache, "-Dspring.context.exit=onRefresh"));
    var once = new Site(site.name(), site.jdbcUrl(), jvm, site.properties());
    try (var server = start.apply(trained.program, once)) {
      server.process().awaitEndIn(TIME_TO_TRAIN);
    }
  }

  /**
   * What is started once.
   *
   * @param cache is made
   */
  public record Trained(Program program, Site site, Path cache) {}

  private ServerProcess.Launch launch(Site site, String heap, Map<String, String> properties) {
    var jvm = new ArrayList<>(settings.heap().arguments(heap));
    jvm.addAll(site.jvm());
    return new ServerProcess.Launch(jvm, properties, settings.logs().resolve(site.name() + ".log"));
  }

  private Map<String, String> common(Site site) {
    var properties = new TreeMap<>(settings.properties());
    properties.putAll(site.properties());
    properties.put("spring.datasource.url", site.jdbcUrl());
    properties.put("spring.datasource.username", EmbeddedPostgres.USERNAME);
    properties.put("management.endpoints.web.exposure.include", "health,prometheus");
    return properties;
  }

  /** As an API key is configured. */
  public static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
