package dev.coatcheck.app;

import dev.coatcheck.fixture.TestDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The web tier in this JVM: the real Tomcat on a free port, a real PostgreSQL, no worker. */
final class RunningApp implements AutoCloseable {
  /** Each of these tenants has a key that is {@code ck_} and its name. */
  static final List<String> TENANTS = List.of("acme", "umbrella", "initech");

  private final TestDatabase database;
  private final ConfigurableApplicationContext context;

  private RunningApp(TestDatabase database, ConfigurableApplicationContext context) {
    this.database = database;
    this.context = context;
  }

  /** The one that tests share which need no configuration of their own; it ends with the JVM. */
  static RunningApp shared() {
    return Shared.APP;
  }

  private static final class Shared {
    static final RunningApp APP = start();
  }

  static RunningApp start(String... properties) {
    return startOn(TestDatabase.create(), properties);
  }

  static RunningApp startOn(TestDatabase database, String... properties) {
    var arguments = new ArrayList<String>();
    arguments.add("spring.datasource.url=" + database.jdbcUrl());
    arguments.add("spring.datasource.username=" + database.username());
    arguments.add("spring.datasource.password=" + database.password());
    arguments.addAll(defaults());
    arguments.addAll(Arrays.asList(properties));
    return new RunningApp(
        database,
        AppApplication.builder().run(arguments.stream().map(p -> "--" + p).toArray(String[]::new)));
  }

  private static List<String> defaults() {
    var properties = new ArrayList<String>();
    properties.add("server.port=0");
    properties.add("jobrunr.dashboard.enabled=false");
    properties.add("spring.main.banner-mode=off");
    properties.add("spring.main.register-shutdown-hook=true");
    for (int i = 0; i < TENANTS.size(); i++) {
      properties.add("coatcheck.api-keys[" + i + "].tenant=" + TENANTS.get(i));
      properties.add("coatcheck.api-keys[" + i + "].sha256=" + Sha256.hex("ck_" + TENANTS.get(i)));
    }
    return properties;
  }

  int port() {
    return Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
  }

  ConfigurableApplicationContext context() {
    return context;
  }

  TestDatabase database() {
    return database;
  }

  /** SQL beside the app's back. */
  JdbcClient sql() {
    return JdbcClient.create(database.dataSource());
  }

  /** HTTP as that tenant. */
  Http as(String tenant) {
    return new Http(port(), "ck_" + tenant);
  }

  Http anonymous() {
    return new Http(port(), null);
  }

  @Override
  public void close() {
    context.close();
    database.close();
  }
}
