package dev.coatcheck.app.key;

import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.db.pool.PoolConfiguration;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.pool.WebPoolConfiguration;
import dev.coatcheck.db.tenant.CreateApiKey;
import dev.coatcheck.db.tenant.TenantId;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@code keys create --tenant NAME}: makes an API key and prints it, once. The rest of its
 * arguments is configuration, as for the process itself.
 */
public final class KeysCommand {
  private static final int MISUSED = 2;
  private static final String USAGE =
      "usage: keys create --tenant NAME, a name of 1 to 64 characters of [A-Za-z0-9._-]";
  private static final Map<String, Object> QUIET = Map.of("logging.level.root", "error");

  private final PrintStream out;
  private final PrintStream err;

  public KeysCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Whether a command line is for this command. */
  public static boolean isMeant(String... arguments) {
    return arguments.length > 0 && arguments[0].equals("keys");
  }

  /**
   * Runs it and returns the process's exit code.
   *
   * @param database finds the database before the context is built
   */
  public int run(List<String> arguments, List<ApplicationContextInitializer<?>> database) {
    var tenant = tenant(arguments);
    if (tenant.isEmpty()) {
      err.println(USAGE);
      return MISUSED;
    }
    try (var context = start(arguments, database)) {
      var create = new CreateApiKey(context.getBean(WebDatabase.class), new SecureRandom());
      out.println(create.create(tenant.get()));
      out.flush();
    }
    err.printf(
        "The key above is shown this once. It is tenant %s's; a process that was started without"
            + " any key asks for keys from its next start on.%n",
        tenant.get().value());
    return 0;
  }

  private static Optional<TenantId> tenant(List<String> arguments) {
    if (arguments.size() < 3 || !arguments.get(1).equals("create")) {
      return Optional.empty();
    }
    var option = arguments.get(2);
    if (option.equals("--tenant") && arguments.size() > 3) {
      return TenantId.parse(arguments.get(3));
    }
    return option.startsWith("--tenant=")
        ? TenantId.parse(option.substring("--tenant=".length()))
        : Optional.empty();
  }

  private static ConfigurableApplicationContext start(
      List<String> arguments, List<ApplicationContextInitializer<?>> database) {
    return new SpringApplicationBuilder(Beans.class)
        .web(WebApplicationType.NONE)
        .logStartupInfo(false)
        .properties(CommonDefaults.properties())
        .properties(QUIET)
        .initializers(database.toArray(ApplicationContextInitializer<?>[]::new))
        .run(arguments.toArray(String[]::new));
  }

  /** As little as reaches the database. */
  @Configuration(proxyBeanMethods = false)
  @Import({PoolConfiguration.class, WebPoolConfiguration.class})
  static class Beans {}
}
