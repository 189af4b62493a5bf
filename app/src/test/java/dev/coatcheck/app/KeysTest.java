package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

class KeysTest {
  private static final Set<String> PUBLIC =
      Set.of("/actuator/health", "/actuator/health/**", "/openapi.yaml", "/problems/{slug}");

  private final RunningApp app = RunningApp.shared();

  @Test
  void missing_wrong_and_revoked_are_all_alike() {
    String revoked = app.makeKey("acme");
    app.sql()
        .sql("update api_key set revoked_at = now() where sha256 = sha256(:key::bytea)")
        .param("key", revoked)
        .update();
    var bodies = new ArrayList<String>();
    for (Http caller :
        List.of(
            app.anonymous(),
            new Http(app.port(), "ck_wrong"),
            new Http(app.port(), revoked),
            new Http(app.port(), ""))) {
      Http.Reply reply = caller.get("/v1/jobs");
      Problems.assertThat(reply).is(401, "unauthorized");
      assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer");
      bodies.add(reply.body().replaceAll("\"request_id\":\"[^\"]*\"", ""));
    }
    assertThat(Set.copyOf(bodies)).hasSize(1);
  }

  @Test
  void a_made_key_opens_its_tenant_and_is_kept_as_a_hash() {
    String key = app.makeKey("umbrella");
    String id = app.as("umbrella").submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");

    assertThat(key).matches("ck_[A-Za-z0-9_-]{43}");
    assertThat(new Http(app.port(), key).get("/v1/jobs/" + id).status()).isEqualTo(200);
    assertThat(
            app.sql()
                .sql("select encode(sha256, 'hex') from api_key where sha256 = sha256(:key::bytea)")
                .param("key", key)
                .query(String.class)
                .single())
        .isEqualTo(Sha256.hex(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: bearer ck_acme",
        "Authorization: BEARER ck_acme",
        "Authorization:   Bearer    ck_acme  "
      })
  void the_scheme_is_read_in_any_case(String header) {
    assertThat(raw(header).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: ck_acme",
        "Authorization: Basic ck_acme",
        "Authorization: Bearer",
        "Authorization: Bearer ck_acme ck_acme",
        "Authorization: Bearer ck_acm",
        "Authorization: Bearer ck_acmee",
        "Authorization: Bearer CK_ACME",
        "Authorization: Bearer ' or 1=1 --",
        "Authorization: Bearer ck_acme'; drop table job; --",
        "Authorization: Bearer \u00e9\u00ff",
        "Authorization: Bearer ck_acme\r\nAuthorization: Bearer ck_acme",
        "X-Api-Key: ck_acme",
        "Cookie: Authorization=Bearer ck_acme"
      })
  void nothing_else_opens(String header) {
    Problems.assertThat(raw(header)).is(401, "unauthorized");
  }

  @Test
  void every_route_is_public_by_name_or_asks_for_a_key() {
    var routes = new TreeSet<String>();
    app.context()
        .getBeansOfType(RequestMappingInfoHandlerMapping.class)
        .values()
        .forEach(
            mapping ->
                mapping
                    .getHandlerMethods()
                    .keySet()
                    .forEach(info -> routes.addAll(info.getPatternValues())));

    assertThat(routes).contains("/v1/jobs", "/v1/jobs/{id}").containsAll(PUBLIC);
    for (String route : routes) {
      String path = route.replaceAll("\\{[^}]*}", "unavailable").replace("/**", "/readiness");
      for (String method : new String[] {"GET", "POST", "DELETE", "OPTIONS", "HEAD"}) {
        int status = app.anonymous().method(method, path).status();
        if (PUBLIC.contains(route)) {
          assertThat(status).as(method + " " + path).isNotEqualTo(401);
        } else {
          assertThat(status).as(method + " " + path).isEqualTo(401);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/error",
        "/v1/nothing",
        "/actuator/env",
        "/actuator/health/../env",
        "/actuator/health/readiness/../../../v1/jobs",
        "/actuator/health;/../../v1/jobs",
        "/openapi.yaml;x=/../v1/jobs",
        "/problems/%2e%2e/v1/jobs",
        "//v1/jobs",
        "/actuator/health/database"
      })
  void no_path_leads_around_the_key(String path) {
    Http.Reply reply = new RawHttp(app.port()).send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");

    assertThat(reply.status()).isIn(400, 401);
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
  }

  @Test
  void the_host_header_opens_nothing() {
    for (String host : new String[] {"localhost", "127.0.0.1:8080", "actuator", "x@y"}) {
      assertThat(
              new RawHttp(app.port())
                  .send("GET /v1/jobs HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                  .status())
          .isIn(400, 401);
    }
  }

  @Test
  void health_is_for_everybody_and_tells_nothing() {
    for (String path :
        new String[] {
          "/actuator/health", "/actuator/health/readiness", "/actuator/health/liveness"
        }) {
      Http.Reply health = app.anonymous().get(path);
      assertThat(health.status()).as(path).isEqualTo(200);
      assertThat(health.json().propertyNames()).as(path).doesNotContain("components", "details");
      assertThat(health.text("/status")).isEqualTo("UP");
    }
  }

  private Http.Reply raw(String header) {
    return new RawHttp(app.port())
        .send("GET /v1/jobs HTTP/1.1\r\nHost: x\r\n" + header + "\r\nConnection: close\r\n\r\n");
  }
}
