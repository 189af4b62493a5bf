package dev.coatcheck.db.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookUrlTest {
  @ParameterizedTest
  @CsvSource({
    "https://example.com, https://example.com, example.com:443",
    "HTTPS://Example.COM/Hook?a=B, https://example.com/Hook?a=B, example.com:443",
    "https://hooks.example.com:8443/a/%C3%A9;x=1, https://hooks.example.com:8443/a/%C3%A9;x=1, hooks.example.com:8443",
    "https://xn--bcher-kva.example/, https://xn--bcher-kva.example/, xn--bcher-kva.example:443",
    "https://93.184.216.34/, https://93.184.216.34/, 93.184.216.34:443",
    "https://[2606:4700::6810:84e5]/, https://[2606:4700::6810:84e5]/, [2606:4700::6810:84e5]:443",
    "https://[64:ff9b::5db8:d822]/, https://[64:ff9b::5db8:d822]/, [64:ff9b::5db8:d822]:443",
    "https://example.com?x=1, https://example.com?x=1, example.com:443"
  })
  void a_public_url_is_kept_with_scheme_and_host_in_lower_case(
      String text, String uri, String endpoint) {
    assertThat(WebhookUrl.read(text, WebhookReach.PUBLIC))
        .isInstanceOfSatisfying(
            WebhookUrl.Read.Good.class,
            good -> {
              assertThat(good.url().uri().toString()).isEqualTo(uri);
              assertThat(good.url().endpoint()).isEqualTo(endpoint);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:9000/hook",
        "http://127.0.0.1:1/",
        "http://[::1]:65535/",
        "https://10.1.2.3/",
        "http://receiver:8080/",
        "http://100.64.1.1/"
      })
  void private_ones_are_lawful_only_where_the_operator_says_so(String text) {
    assertThat(WebhookUrl.read(text, WebhookReach.PRIVATE_TOO))
        .isInstanceOf(WebhookUrl.Read.Good.class);
    assertThat(WebhookUrl.read(text, WebhookReach.PUBLIC))
        .isInstanceOf(WebhookUrl.Read.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://169.254.169.254/",
        "http://100.100.100.200/",
        "http://[fd00:ec2::254]/",
        "http://0.0.0.0/",
        "http://127.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://localhost./",
        "http://user@localhost/",
        "http://[2002:7f00:1::]/",
        "http://224.0.0.1/",
        "ftp://localhost/"
      })
  void some_are_lawful_nowhere(String text) {
    assertThat(WebhookUrl.read(text, WebhookReach.PRIVATE_TOO))
        .isInstanceOf(WebhookUrl.Read.Refused.class);
  }

  @Test
  void a_url_has_an_end() {
    String longest = "https://example.com/" + "a".repeat(WebhookUrl.MAX_LENGTH - 20);
    assertThat(WebhookUrl.read(longest, WebhookReach.PUBLIC))
        .isInstanceOf(WebhookUrl.Read.Good.class);
    assertThat(WebhookUrl.read(longest + "a", WebhookReach.PUBLIC))
        .isInstanceOf(WebhookUrl.Read.Refused.class);
  }

  @Test
  void a_url_never_shows_its_path_or_query() {
    assertThat(WebhookUrl.read("https://example.com/secret?token=t", WebhookReach.PUBLIC))
        .asString()
        .contains("example.com:443")
        .doesNotContain("secret", "token");
  }

  @ParameterizedTest
  @CsvSource({
    "8.8.8.8, PUBLIC",
    "9.255.255.255, PUBLIC",
    "11.0.0.0, PUBLIC",
    "100.63.255.255, PUBLIC",
    "100.128.0.0, PUBLIC",
    "172.15.255.255, PUBLIC",
    "172.32.0.0, PUBLIC",
    "198.17.255.255, PUBLIC",
    "198.20.0.0, PUBLIC",
    "223.255.255.255, PUBLIC",
    "172.31.255.255, PRIVATE",
    "100.64.0.0, PRIVATE",
    "127.255.255.255, PRIVATE",
    "198.19.255.255, FORBIDDEN",
    "224.0.0.0, FORBIDDEN",
    "255.255.255.255, FORBIDDEN",
    "0.255.255.255, FORBIDDEN",
    "2001:1ff:ffff::1, FORBIDDEN",
    "2001:200::1, PUBLIC",
    "2a00:1450:4001::1, PUBLIC",
    "3fff:fff::1, FORBIDDEN",
    "4000::1, FORBIDDEN",
    "1fff::1, FORBIDDEN",
    "fbff::1, FORBIDDEN",
    "fdff::1, PRIVATE",
    "fe80::1, FORBIDDEN",
    "::2, FORBIDDEN",
    "64:ff9b::808:808, PUBLIC",
    "64:ff9b::a00:1, FORBIDDEN",
    "64:ff9b:1::808:808, FORBIDDEN",
    "::ffff:10.0.0.1, PRIVATE"
  })
  void blocks_begin_and_end_where_the_registries_say(String address, AddressScope scope) {
    assertThat(AddressScope.of(InetAddress.ofLiteral(address))).isEqualTo(scope);
  }
}
