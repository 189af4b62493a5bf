package dev.coatcheck.chaos;

import dev.coatcheck.processes.Program;
import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.Site;
import dev.coatcheck.processes.StartServers;
import dev.coatcheck.processes.StartServers.Trained;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts apps and workers with our own classes before theirs, on request from a cache. */
final class Launcher {
  /** Of the second tenant, which must never see what is the first one's. */
  static final String OTHER_API_KEY = "ck_for-the-other-tenant-only";

  static final String OTHER_TENANT = "other";

  private final StartServers servers;
  private final Program app;
  private final Program worker;
  private final Path directory;

  Launcher(StartServers servers, Path directory) {
    this.servers = servers;
    this.directory = directory.toAbsolutePath().resolve("programs");
    var front = FrontJar.in(this.directory);
    this.app = Program.app(front, this.directory);
    this.worker = Program.worker(front, this.directory);
  }

  ServerProcess app(Site site) {
    return servers.app(app, of(site, "app", ofAnApp()));
  }

  ServerProcess worker(Site site) {
    return servers.worker(
        worker, of(site, "worker", Map.of("coatcheck.providers.openai.api-key", Canary.SECRET)));
  }

  private static Map<String, String> ofAnApp() {
    return Map.of(
        "coatcheck.api-keys[1].tenant",
        OTHER_TENANT,
        "coatcheck.api-keys[1].sha256",
        StartServers.sha256(OTHER_API_KEY));
  }

  private Site of(Site site, String program, Map<String, String> properties) {
    var jvm = new ArrayList<>(site.jvm());
    var cache = cache(program);
    if (Files.exists(cache)) {
      jvm.add("-XX:AOTCache=" + cache);
    }
    return new Site(site.name(), site.jdbcUrl(), jvm, properties);
  }

  private Path cache(String program) {
    return directory.resolve(program + ".aot");
  }

  /** Makes the caches that later starts are quicker by; worth it for many of them. */
  void train(String jdbcUrl) {
    var orders = List.of(Member.orders(directory.resolve("none.orders")));
    StartServers.train(
        servers::worker,
        new Trained(worker, new Site("train-worker", jdbcUrl, orders, Map.of()), cache("worker")));
    StartServers.train(
        servers::app,
        new Trained(app, new Site("train-app", jdbcUrl, orders, Map.of()), cache("app")));
  }
}
