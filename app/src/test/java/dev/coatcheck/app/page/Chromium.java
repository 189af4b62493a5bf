package dev.coatcheck.app.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium of its own, with an empty profile, spoken to over its debugging protocol. */
public final class Chromium implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/.*");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Process process;
  private final Path profile;
  private final String address;

  private Chromium(Process process, Path profile, String address) {
    this.process = process;
    this.profile = profile;
    this.address = address;
  }

  /** Where it is installed, if it is. */
  static Optional<Path> installed() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts it; nothing but what a page asks for leaves it. */
  static Chromium start(Path binary) {
    try {
      Path profile = Files.createTempDirectory("coatcheck-chromium");
      Process process =
          new ProcessBuilder(
                  List.of(
                      binary.toString(),
                      "--headless",
                      "--no-sandbox",
                      "--disable-gpu",
                      "--disable-quic",
                      "--disable-dev-shm-usage",
                      "--no-first-run",
                      "--disable-background-networking",
                      "--disable-component-update",
                      "--disable-sync",
                      "--disable-extensions",
                      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                      "--remote-debugging-port=0",
                      "--user-data-dir=" + profile,
                      "about:blank"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new Chromium(process, profile, listening(process));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String listening(Process process) throws IOException {
    var lines =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher found = LISTENING.matcher(line);
      if (found.matches()) {
        Thread.ofVirtual().start(() -> lines.lines().forEach(rest -> {}));
        return found.group(1);
      }
    }
    throw new IOException("Chromium did not start");
  }

  /** A new tab. */
  Tab open() {
    try {
      var request =
          HttpRequest.newBuilder(URI.create("http://" + address + "/json/new"))
              .method("PUT", HttpRequest.BodyPublishers.noBody())
              .build();
      String body = CLIENT.send(request, BodyHandlers.ofString()).body();
      String socket = JsonMapper.shared().readTree(body).at("/webSocketDebuggerUrl").asString();
      return Tab.connect(CLIENT, URI.create(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // A temporary directory may stay behind.
    }
  }
}
