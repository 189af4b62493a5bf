package dev.coatcheck.worker.egress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.MonitoringResponseOutOfOrderStrategy;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient with every default written down that would surprise us. */
final class ApacheClient {
  private ApacheClient() {}

  static CloseableHttpClient client(
      EgressSettings settings, PoolingHttpClientConnectionManager pool) {
    HttpClientBuilder builder =
        HttpClientBuilder.create()
            .setConnectionManager(pool)
            .setRequestExecutor(new MarkSent())
            .setUserAgent("coatcheck")
            .setDefaultRequestConfig(defaults())
            // It would send a POST again by itself, on 429 and 503 too.
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableConnectionState();
    URI proxy = settings.proxy();
    if (proxy != null) {
      builder.setProxy(new HttpHost("http", proxy.getHost(), proxy.getPort()));
    }
    return builder.build();
  }

  static PoolingHttpClientConnectionManager pool(
      EgressSettings settings, int connections, ResolveHost hosts) {
    Timeout connect = Timeout.of(settings.connectTimeout());
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setMaxConnTotal(connections)
        .setMaxConnPerRoute(connections)
        .setDnsResolver(new Dns(hosts))
        .setTlsSocketStrategy(new DefaultClientTlsStrategy(OpenTrust.with(settings.caFile())))
        .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(connect).build())
        .setDefaultSocketConfig(sockets())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(connect)
                .setSocketTimeout(Timeout.DISABLED)
                // A POST on a half-closed connection would be a false indeterminate.
                .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                .setTimeToLive(TimeValue.of(Limits.CONNECTION_LIFE))
                .build())
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder()
                .http1Config(http1())
                // A refusal that comes before a large body is sent is read, not run into.
                .responseOutOfOrderStrategy(MonitoringResponseOutOfOrderStrategy.INSTANCE)
                .build())
        .build();
  }

  /** The settings of one request; the exchange's own timer ends it, the socket's never does. */
  static RequestConfig within(Duration timeout) {
    return RequestConfig.copy(defaults()).setConnectionRequestTimeout(Timeout.of(timeout)).build();
  }

  private static RequestConfig defaults() {
    return RequestConfig.custom()
        .setAuthenticationEnabled(false)
        .setRedirectsEnabled(false)
        .setExpectContinueEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .setHardCancellationEnabled(true)
        .setContentCompressionEnabled(true)
        .setResponseTimeout(Timeout.DISABLED)
        .setConnectionKeepAlive(TimeValue.of(Limits.KEEP_ALIVE))
        .build();
  }

  private static SocketConfig sockets() {
    return SocketConfig.custom()
        .setSoTimeout(Timeout.DISABLED)
        .setTcpNoDelay(true)
        .setSoKeepAlive(true)
        .setTcpKeepIdle(Limits.KEEP_ALIVE_IDLE_SECONDS)
        .setTcpKeepInterval(Limits.KEEP_ALIVE_INTERVAL_SECONDS)
        .setTcpKeepCount(Limits.KEEP_ALIVE_PROBES)
        .build();
  }

  private static Http1Config http1() {
    return Http1Config.custom()
        .setBufferSize(Limits.SOCKET_BUFFER)
        .setMaxHeaderCount(Limits.HEADER_COUNT)
        .setMaxLineLength(Limits.HEADER_LINE)
        .setMaxEmptyLineCount(Limits.EMPTY_LINES)
        .build();
  }

  private record Dns(ResolveHost hosts) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return hosts.resolve(host).toArray(InetAddress[]::new);
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
      return hosts.resolve(host).stream()
          .map(address -> new InetSocketAddress(address, port))
          .toList();
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }
}
