package dev.coatcheck.worker.egress;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code coatcheck.egress}: the way out.
 *
 * @param connectTimeout for the name look-up, the connection and the TLS handshake, each
 * @param idleTimeout between two bytes of a body; before the headers only the attempt's timeout
 *     counts, since a completion that is not streamed sends nothing for minutes
 * @param maxResponse the largest body accepted, counted after decompression
 * @param proxy {@code http://host:port} for every call; none by default
 * @param caFile PEM certificates trusted besides the JDK's own; none by default
 */
@ConfigurationProperties("coatcheck.egress")
public record EgressSettings(
    @DefaultValue("5s") Duration connectTimeout,
    @DefaultValue("60s") Duration idleTimeout,
    @DefaultValue("32MB") DataSize maxResponse,
    @Nullable URI proxy,
    @Nullable Path caFile) {
  private static final Duration MAX_TIMEOUT = Duration.ofHours(1);
  private static final DataSize MAX_RESPONSE = DataSize.ofMegabytes(256);

  public EgressSettings {
    check(bounded(connectTimeout), "connect-timeout must be in 1ms to 1h.");
    check(bounded(idleTimeout), "idle-timeout must be in 1ms to 1h.");
    check(
        maxResponse.toBytes() > 0 && maxResponse.compareTo(MAX_RESPONSE) <= 0,
        "max-response must be in 1B to 256MB.");
    proxy = proxy != null && proxy.toString().isEmpty() ? null : proxy;
    check(proxy == null || isProxy(proxy), "proxy must be http://host:port and nothing else.");
    caFile = caFile != null && caFile.toString().isEmpty() ? null : caFile;
    check(caFile == null || Files.isReadable(caFile), "ca-file must name a readable file.");
  }

  public static EgressSettings standard() {
    return new EgressSettings(
        Duration.ofSeconds(5), Duration.ofSeconds(60), DataSize.ofMegabytes(32), null, null);
  }

  private static boolean bounded(Duration timeout) {
    return timeout.toMillis() > 0 && timeout.compareTo(MAX_TIMEOUT) <= 0;
  }

  private static boolean isProxy(URI proxy) {
    return "http".equals(proxy.getScheme())
        && proxy.getHost() != null
        && proxy.getPort() > 0
        && proxy.getRawUserInfo() == null
        && proxy.getRawQuery() == null
        && (proxy.getRawPath().isEmpty() || "/".equals(proxy.getRawPath()));
  }

  private static void check(boolean holds, String sentence) {
    if (!holds) {
      throw new IllegalArgumentException("coatcheck.egress." + sentence);
    }
  }
}
