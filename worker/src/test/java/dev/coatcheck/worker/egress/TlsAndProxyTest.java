package dev.coatcheck.worker.egress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import dev.coatcheck.worker.raw.RawServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

@Timeout(60)
class TlsAndProxyTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final String STORE_WORD = "changeit";

  @TempDir static Path directory;

  /** A certificate for 127.0.0.1 that nobody has signed but itself. */
  @BeforeAll
  static void makeCertificate() throws Exception {
    keytool(
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "EC",
        "-dname",
        "CN=coatcheck test",
        "-ext",
        "san=ip:127.0.0.1",
        "-validity",
        "2");
    keytool("-exportcert", "-alias", "server", "-rfc", "-file", pem().toString());
  }

  private static Path pem() {
    return directory.resolve("ca.pem");
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of(
            "-keystore",
            directory.resolve("server.p12").toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            STORE_WORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static RawServer tlsServer() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve("server.p12"))) {
      store.load(in, STORE_WORD.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, STORE_WORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    ServerSocket socket =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    return RawServer.on(socket);
  }

  private static Egress egress(@Nullable URI proxy, @Nullable Path caFile) {
    EgressSettings settings =
        new EgressSettings(
            Duration.ofSeconds(2), Duration.ofSeconds(2), DataSize.ofMegabytes(1), proxy, caFile);
    return Egress.open(settings, 5, EgressProbe.inert(), ResolveHost.system(LONG));
  }

  private static EgressResult post(Egress egress, String uri) {
    return egress.exchange(
        new EgressRequest(URI.create(uri), List.of(), Body.utf8("{\"secret\":1}"), LONG),
        new OutboundCall());
  }

  private static String https(RawServer server, String host) {
    return "https://" + host + ":" + server.port() + "/v1";
  }

  @Test
  void a_certificate_nobody_vouches_for_gets_nothing() throws Exception {
    try (RawServer server = tlsServer();
        Egress egress = egress(null, null)) {
      EgressResult result = post(egress, https(server, "127.0.0.1"));

      assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.TLS);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void a_certificate_of_the_ca_file_is_trusted_but_for_its_own_host_alone() throws Exception {
    try (RawServer server = tlsServer();
        Egress egress = egress(null, pem())) {
      assertThat(post(egress, https(server, "127.0.0.1"))).isInstanceOf(Response.class);
      assertThat(post(egress, https(server, "localhost")))
          .isInstanceOf(NotSent.class)
          .extracting("cause")
          .isEqualTo(Unsent.TLS);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_ca_file_without_certificates_is_a_fault_that_names_the_property() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    Path junk = Files.writeString(directory.resolve("junk.pem"), "not a certificate");

    assertThatThrownBy(() -> egress(null, empty))
        .hasMessage("coatcheck.egress.ca-file must hold PEM certificates.");
    assertThatThrownBy(() -> egress(null, junk))
        .hasMessage("coatcheck.egress.ca-file must hold PEM certificates.");
  }

  @Test
  void a_plain_call_goes_through_the_proxy() throws Exception {
    try (RawServer proxy = RawServer.start();
        Egress egress = egress(URI.create("http://127.0.0.1:" + proxy.port()), null)) {
      assertThat(post(egress, "http://provider.invalid/v1")).isInstanceOf(Response.class);
      assertThat(proxy.requests().getFirst().line())
          .isEqualTo("POST http://provider.invalid/v1 HTTP/1.1");
    }
  }

  @Test
  void a_proxy_that_refuses_the_tunnel_has_seen_nothing_of_the_request() throws Exception {
    try (RawServer proxy = RawServer.start();
        Egress egress = egress(URI.create("http://127.0.0.1:" + proxy.port()), null)) {
      proxy.otherwise(c -> c.answer(407, "who are you", "Proxy-Authenticate: Basic realm=\"x\""));

      EgressResult result = post(egress, "https://provider.invalid/v1");

      assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.PROXY);
      assertThat(proxy.requests()).hasSize(1);
      assertThat(proxy.requests().getFirst().head())
          .startsWith("CONNECT provider.invalid:443 HTTP/1.1")
          .doesNotContain("secret");
    }
  }

  @Test
  void a_proxy_that_hangs_up_has_seen_nothing_of_the_request() throws Exception {
    try (RawServer proxy = RawServer.start();
        Egress egress = egress(URI.create("http://127.0.0.1:" + proxy.port()), null)) {
      proxy.otherwise(c -> c.hangUp());

      assertThat(post(egress, "https://provider.invalid/v1")).isInstanceOf(NotSent.class);
    }
  }
}
