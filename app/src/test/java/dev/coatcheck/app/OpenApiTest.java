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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.yaml.snakeyaml.Yaml;

class OpenApiTest {
  private final RunningApp app = RunningApp.shared();
  private final Map<String, Object> contract =
      new Yaml().load(app.anonymous().get("/openapi.yaml").body());

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
    Object reference = response.get("$ref");
    if (reference == null) {
      return;
    }
    String name = String.valueOf(reference).replaceFirst(".*/", "");
    Map<String, Object> shared = map(contract, "components", "responses", name);
    for (String code : String.valueOf(shared.get("description")).split(", ", -1)) {
      ProblemCode known =
          Arrays.stream(ProblemCode.values())
              .filter(c -> c.text().equals(code))
              .findFirst()
              .orElseThrow();
      assertThat(status).as(code).isEqualTo(Integer.toString(known.status()));
    }
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
