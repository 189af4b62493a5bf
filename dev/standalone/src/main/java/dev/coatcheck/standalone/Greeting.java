package dev.coatcheck.standalone;

import org.springframework.core.env.Environment;

/** What a newcomer sees last: where everything is, and a command to paste. */
record Greeting(Environment environment, Access access) {
  /** Who is let in. */
  enum Access {
    THIS_MACHINE,
    API_KEY
  }

  String text() {
    return """
        Coatcheck is ready
          API        %s/v1/jobs%s
          Dashboard  %s
          Database   %s
          Provider   %s
          Try it     curl -s %s/v1/jobs -H 'Idempotency-Key: first' \\
        -H 'Content-Type: application/json' -H 'Prefer: wait=10'%s \\
        -d '{"model": "%s", "prompt": "Say hello"}'"""
        .formatted(
            api(), whoMay(), dashboard(), database(), provider(), api(), authorization(), model());
  }

  private String api() {
    return "http://127.0.0.1:" + environment.getProperty("local.server.port", "8080");
  }

  private String whoMay() {
    return switch (access) {
      case THIS_MACHINE -> " (no API key is configured: from this machine alone, tenant default)";
      case API_KEY -> "";
    };
  }

  private String authorization() {
    return switch (access) {
      case THIS_MACHINE -> "";
      case API_KEY -> " -H 'Authorization: Bearer <an API key>'";
    };
  }

  private String dashboard() {
    return environment.getProperty("jobrunr.dashboard.enabled", Boolean.class, false)
        ? "http://127.0.0.1:%s/dashboard"
            .formatted(environment.getProperty("jobrunr.dashboard.port", "8000"))
        : "off";
  }

  private String database() {
    var url = environment.getProperty(StartDatabase.URL, "").replaceFirst("[?].*", "");
    var directory = environment.getProperty(StartDatabase.DIRECTORY, "");
    return directory.isEmpty() ? url : "%s as user postgres, kept in %s".formatted(url, directory);
  }

  private String provider() {
    var name = environment.getProperty("coatcheck.default-provider", "openai");
    return name.equals(FallBackToSimulator.NAME)
        ? "simulator, since neither coatcheck.default-provider nor OPENAI_API_KEY is set"
        : name;
  }

  private String model() {
    var name = environment.getProperty("coatcheck.default-provider", "openai");
    var otherwise = name.equals(FallBackToSimulator.NAME) ? name + "/demo" : name + "/<model>";
    var configured = environment.getProperty("coatcheck.default-model", "");
    return configured.isBlank() ? otherwise : configured;
  }
}
