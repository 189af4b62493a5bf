package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.db.job.JobStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

class OpenApiTest {
  private final RunningApp app = RunningApp.shared();
  private final Map<String, Object> contract =
      new Yaml(strict()).load(app.anonymous().get("/openapi.yaml").body());

  /** Of two members of one name, a reader would drop one. */
  private static LoaderOptions strict() {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return options;
  }

  @Test
  void it_is_served_to_everybody() {
    Http.Reply reply = app.anonymous().get("/openapi.yaml");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Content-Type")).isEqualTo("application/yaml");
  }

  @Test
  void it_names_every_route_and_no_other() {
    var documented = new TreeSet<String>();
    map(contract, "paths")
        .forEach(
            (path, item) ->
                asMap(item).keySet().forEach(method -> documented.add(method + " " + path)));
    var real = new TreeSet<String>();
    app.context()
        .getBeansOfType(RequestMappingInfoHandlerMapping.class)
        .values()
        .forEach(
            mapping ->
                mapping
                    .getHandlerMethods()
                    .keySet()
                    .forEach(
                        info ->
                            info.getMethodsCondition()
                                .getMethods()
                                .forEach(
                                    method ->
                                        info.getPatternValues()
                                            .forEach(
                                                path ->
                                                    real.add(
                                                        method
                                                                .asHttpMethod()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT)
                                                            + " "
                                                            + path)))));
    real.remove("get /actuator/health/**");
    real.add("get /actuator/health/readiness");
    real.add("get /actuator/health/liveness");

    assertThat(documented).isEqualTo(real);
  }

  @Test
  void it_names_every_code_with_its_status() {
    assertThat(
            list(map(contract, "components", "schemas", "Problem", "properties", "code"), "enum"))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ProblemCode.values()).map(ProblemCode::text).toList());
    Map<String, Object> responses = map(contract, "components", "responses");
    for (ProblemCode code : ProblemCode.values()) {
      assertThat(responses.values().stream().map(r -> asMap(r).get("description")))
          .as(code.text())
          .anyMatch(
              description ->
                  List.of(String.valueOf(description).split(", ", -1)).contains(code.text()));
    }
    operations()
        .forEach(
            operation ->
                map(operation, "responses")
                    .forEach((status, response) -> hasStatusOfItsCodes(status, asMap(response))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"approve", "deny", "output", "resolve"})
  void a_decision_names_what_it_answers_of_what_is_not_there(String decision) {
    Http acme = app.as("acme");
    String body =
        switch (decision) {
          case "output" -> "{\"output\":1}";
          case "resolve" -> "{\"outcome\":\"done\"}";
          default -> "{}";
        };
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    var answered = new TreeSet<String>();
    for (String job : List.of(id, UUID.randomUUID().toString())) {
      String path = "/v1/jobs/%s/tool_calls/%s/%s".formatted(job, UUID.randomUUID(), decision);
      answered.add(acme.post(path, body, Map.of()).text("/code"));
    }

    Map<String, Object> responses =
        map(contract, "paths", "/v1/jobs/{id}/tool_calls/{call}/" + decision, "post", "responses");
    assertThat(codes(map(responses, "404"))).containsExactlyElementsOf(answered);
    assertThat(codes(map(responses, "409"))).containsExactly("already_decided");
  }

  @Test
  void it_names_every_member_of_a_job() {
    Http.Reply job = app.as("acme").submit("{\"model\":\"m\",\"prompt\":\"p\"}");

    assertThat(map(contract, "components", "schemas", "Job", "properties").keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(job.json().propertyNames().stream(), Stream.of("erased_at")).toList());
    assertThat(list(map(contract, "components", "schemas", "Status"), "enum"))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(JobStatus.values()).map(JobStatus::text).toList());
  }

  @Test
  void every_operation_of_jobs_may_answer_unauthorized_and_unavailable() {
    map(contract, "paths")
        .forEach(
            (path, item) -> {
              if (path.startsWith("/v1/")) {
                asMap(item)
                    .values()
                    .forEach(
                        operation ->
                            assertThat(map(asMap(operation), "responses").keySet())
                                .contains("401", "406", "500", "503"));
              }
            });
  }

  private void hasStatusOfItsCodes(String status, Map<String, Object> response) {
    if (response.get("$ref") == null) {
      return;
    }
    for (String code : codes(response)) {
      ProblemCode known =
          Arrays.stream(ProblemCode.values())
              .filter(c -> c.text().equals(code))
              .findFirst()
              .orElseThrow();
      assertThat(status).as(code).isEqualTo(Integer.toString(known.status()));
    }
  }

  /** Those of a shared response. */
  private List<String> codes(Map<String, Object> response) {
    String name = String.valueOf(response.get("$ref")).replaceFirst(".*/", "");
    Map<String, Object> shared = map(contract, "components", "responses", name);
    return List.of(String.valueOf(shared.get("description")).split(", ", -1));
  }

  private Stream<Map<String, Object>> operations() {
    return map(contract, "paths").values().stream()
        .flatMap(item -> asMap(item).values().stream())
        .map(OpenApiTest::asMap);
  }

  private static Map<String, Object> map(Map<String, Object> from, String... path) {
    Map<String, Object> current = from;
    for (String name : path) {
      current = asMap(Objects.requireNonNull(current.get(name), name));
    }
    return current;
  }

  private static List<String> list(Map<String, Object> from, String name) {
    return ((List<?>) Objects.requireNonNull(from.get(name)))
        .stream().map(String::valueOf).toList();
  }

  @SuppressWarnings("unchecked") // YAML's maps have strings as keys here
  private static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }
}
