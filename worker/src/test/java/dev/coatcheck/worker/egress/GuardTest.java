package dev.coatcheck.worker.egress;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.webhook.WebhookReach;
import dev.coatcheck.db.webhook.WebhookUrl;
import dev.coatcheck.worker.raw.RawServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.unit.DataSize;

/** Every spelling that reaches inside, against servers inside that must hear nothing of it. */
@Timeout(60)
class GuardTest {
  private static final String PUBLIC = "93.184.216.34";

  private static final Map<String, List<String>> NAMES =
      Map.of(
          "mixed.example.com", List.of(PUBLIC, "127.0.0.1"),
          "private.example.com", List.of("10.0.0.1"),
          "mapped.example.com", List.of("::ffff:127.0.0.1"),
          "translated.example.com", List.of("64:ff9b::7f00:1"),
          "metadata.example.com", List.of("169.254.169.254"),
          "inside.example.com", List.of("127.0.0.1"));

  private static final EgressSettings SETTINGS =
      new EgressSettings(
          Duration.ofMillis(200), Duration.ofMillis(200), DataSize.ofKilobytes(64), null, null);

  /** On every address of this machine, loopback and private, of both families. */
  private final RawServer canary = canary();

  @AfterEach
  void stop() throws IOException {
    canary.close();
  }

  @ParameterizedTest
  @MethodSource("urls")
  void a_hostile_url_is_refused_and_reaches_nobody(String url) {
    boolean refused = WebhookUrl.read(url, WebhookReach.PUBLIC) instanceof WebhookUrl.Read.Refused;
    Optional<EgressResult> sent = send(url, GuardTest::lookUp, WebhookReach.PUBLIC);

    assertThat(canary.connections()).isZero();
    assertThat(refused || sent.filter(GuardTest::isForbidden).isPresent())
        .as("refused by its form, or by its address")
        .isTrue();
  }

  @Test
  void the_corpus_is_not_empty() {
    assertThat(urls()).hasSizeGreaterThan(60);
  }

  @Test
  void where_private_addresses_are_allowed_the_same_servers_are_reached() {
    for (String host : List.of("127.0.0.1", "[::1]", "inside.example.com", own())) {
      var result = send("http://" + host + "/", GuardTest::lookUp, WebhookReach.PRIVATE_TOO);
      assertThat(result).as(host).containsInstanceOf(EgressResult.Response.class);
    }
    assertThat(canary.connections()).isPositive();
    assertThat(send("http://169.254.169.254/", GuardTest::lookUp, WebhookReach.PRIVATE_TOO))
        .hasValueSatisfying(result -> assertThat(isForbidden(result)).isTrue());
  }

  @Test
  void a_name_that_changes_between_look_ups_reaches_only_what_was_checked() {
    Queue<String> answers = new ArrayDeque<>(List.of(PUBLIC, "127.0.0.1", PUBLIC, "127.0.0.1"));
    ResolveHost rebinding = host -> List.of(address(requireNonNull(answers.poll())));
    for (int call = 1; call <= 4; call++) {
      EgressResult result =
          send("http://rebind.example.com/", rebinding, WebhookReach.PUBLIC).orElseThrow();
      assertThat(isForbidden(result)).isEqualTo(call % 2 == 0);
      assertThat(answers).as("one look-up a call").hasSize(4 - call);
    }
    assertThat(canary.connections()).isZero();
  }

  @Test
  void a_redirect_to_the_inside_is_not_followed() throws IOException {
    try (RawServer outside = RawServer.start()) {
      outside.otherwise(
          conversation ->
              conversation.write(
                  "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:"
                      + canary.port()
                      + "/\r\nContent-Length: 0\r\n\r\n"));
      try (Egress egress = door(GuardTest::lookUp, WebhookReach.PRIVATE_TOO)) {
        EgressResult result =
            egress.exchange(request(URI.create(outside.uri().toString())), new OutboundCall());
        assertThat(result)
            .isInstanceOfSatisfying(
                EgressResult.Response.class,
                response -> assertThat(response.status()).isEqualTo(302));
      }
      assertThat(canary.connections()).isZero();
    }
  }

  /** Sends to the canary's port of whatever host the text names, whatever its form; if it can. */
  private Optional<EgressResult> send(String text, ResolveHost names, WebhookReach reach) {
    URI uri;
    try {
      URI parsed = new URI(text);
      if (parsed.getHost() == null) {
        return Optional.empty();
      }
      uri = new URI("http", null, parsed.getHost(), canary.port(), "/", null, null);
    } catch (java.net.URISyntaxException e) {
      return Optional.empty();
    }
    try (Egress egress = door(names, reach)) {
      return Optional.of(egress.exchange(request(uri), new OutboundCall()));
    }
  }

  private static Egress door(ResolveHost names, WebhookReach reach) {
    return Egress.open(SETTINGS, 5, EgressProbe.inert(), ResolveHost.guarded(names, reach));
  }

  private static EgressRequest request(URI uri) {
    return new EgressRequest(uri, List.of(), Body.utf8("{}"), Duration.ofSeconds(5));
  }

  private static boolean isForbidden(EgressResult result) {
    return result instanceof EgressResult.NotSent(EgressResult.Unsent cause, Duration _)
        && cause == EgressResult.Unsent.FORBIDDEN;
  }

  private static List<InetAddress> lookUp(String host) throws UnknownHostException {
    List<String> known = NAMES.get(host);
    if (known == null) {
      throw new UnknownHostException(host);
    }
    return known.stream().map(GuardTest::address).toList();
  }

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }

  static List<String> urls() {
    try (var in =
        requireNonNull(GuardTest.class.getResourceAsStream("/hostile-webhook-urls.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.replace("{own}", own()))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An address of this machine that is not loopback; where there is none, another loopback one. */
  private static String own() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(face -> Collections.list(face.getInetAddresses()).stream())
          .filter(address -> address.isSiteLocalAddress() && address.getAddress().length == 4)
          .map(InetAddress::getHostAddress)
          .findFirst()
          .orElse("127.0.0.2");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RawServer canary() {
    try {
      return RawServer.on(new ServerSocket(0));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
