package dev.coatcheck.app;

import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.CreateApiKey;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.fixture.TestDatabase;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The web tier in this JVM: the real Tomcat on a free port, a real PostgreSQL, no worker. */
public final class RunningApp implements AutoCloseable {
  /** Each of these tenants has a key that is {@code ck_} and its name. */
  static final List<String> TENANTS = List.of("acme", "umbrella", "initech");

  private final TestDatabase database;
  private final ConfigurableApplicationContext context;

  private RunningApp(TestDatabase database, ConfigurableApplicationContext context) {
    this.database = database;
    this.context = context;
  }

  /** The one that tests share which need no configuration of their own; it ends with the JVM. */
  public static RunningApp shared() {
    return Shared.APP;
  }

  private static final class Shared {
    static final RunningApp APP = start();
  }

  static RunningApp start(String... properties) {
    return startOn(TestDatabase.create(), properties);
  }

  static RunningApp startOn(TestDatabase database, String... properties) {
    var all = keys();
    all.addAll(Arrays.asList(properties));
    return startWithoutKeysOn(database, all.toArray(String[]::new));
  }

  static RunningApp startWithoutKeysOn(TestDatabase database, String... properties) {
    var all = new LinkedHashMap<String, String>();
    all.put("spring.datasource.url", database.jdbcUrl());
    all.put("spring.datasource.username", database.username());
    all.put("spring.datasource.password", database.password());
    all.put("server.port", "0");
    all.put("jobrunr.dashboard.enabled", "false");
    for (String property : properties) {
      int equals = property.indexOf('=');
      all.put(property.substring(0, equals), property.substring(equals + 1));
    }
    String[] arguments =
        all.entrySet().stream()
            .map(property -> "--" + property.getKey() + "=" + property.getValue())
            .toArray(String[]::new);
    return new RunningApp(database, AppApplication.builder().run(arguments));
  }

  private static List<String> keys() {
    var properties = new ArrayList<String>();
    for (int i = 0; i < TENANTS.size(); i++) {
      properties.add("coatcheck.api-keys[" + i + "].tenant=" + TENANTS.get(i));
      properties.add("coatcheck.api-keys[" + i + "].sha256=" + Sha256.hex("ck_" + TENANTS.get(i)));
    }
    return properties;
  }

  public int port() {
    return Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
  }

  public ConfigurableApplicationContext context() {
    return context;
  }

  TestDatabase database() {
    return database;
  }

  /** SQL beside the app's back. */
  public JdbcClient sql() {
    return JdbcClient.create(database.dataSource());
  }

  /** A new key of that tenant, as the command makes it. */
  public String makeKey(String tenant) {
    return new CreateApiKey(context.getBean(WebDatabase.class), new SecureRandom())
        .create(new TenantId(tenant));
  }

  /** HTTP as that tenant. */
  public Http as(String tenant) {
    return new Http(port(), "ck_" + tenant);
  }

  public Http anonymous() {
    return new Http(port(), null);
  }

  @Override
  public void close() {
    context.close();
    database.close();
  }
}
