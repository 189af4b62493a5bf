package dev.coatcheck.bench.stock;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/**
 * The stock engine as a process: {@code StockMain JDBC_URL PROVIDER_BASE_URL}. The first line of
 * output is where it takes its orders: {@code POST /start}, {@code POST /stop} and {@code POST
 * /enqueue?MARKER,COUNT,PRODUCERS}, which answers with jobs a second and the latencies' p50 and p99
 * in ms.
 */
public final class StockMain {
  private static final int POLL_SECONDS = 5;
  private static final int POOL = 10;

  private StockMain() {}

  public static void main(String[] arguments) throws IOException {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(arguments[0]);
    pool.setUsername("postgres");
    pool.setMaximumPoolSize(POOL);
    var handler = new AskHandler(URI.create(arguments[1] + "/chat/completions"), pool);
    var engine = engine(pool, handler);

    var orders = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    orders.createContext("/", exchange -> answer(exchange, obey(engine, exchange.getRequestURI())));
    orders.start();
    System.out.println("http://127.0.0.1:" + orders.getAddress().getPort());
  }

  private static JobRunrConfigurationResult engine(HikariDataSource pool, AskHandler handler) {
    var activator =
        new JobActivator() {
          @Override
          public <T> T activateJob(Class<T> type) {
            return type.cast(handler);
          }
        };
    var server =
        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
            .andPollIntervalInSeconds(POLL_SECONDS);
    return JobRunr.configure()
        .useStorageProvider(SqlStorageProviderFactory.using(pool))
        .useJobActivator(activator)
        .useBackgroundJobServer(server, false)
        .initialize();
  }

  private static String obey(JobRunrConfigurationResult engine, URI order) {
    switch (order.getPath()) {
      case "/start" -> engine.getBackgroundJobServer().start();
      case "/stop" -> engine.getBackgroundJobServer().stop();
      case "/enqueue" -> {
        return Enqueue.parse(order.getQuery()).with(engine.getJobRequestScheduler());
      }
      default -> throw new IllegalArgumentException("no such order: " + order);
    }
    return "done";
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
