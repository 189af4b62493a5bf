package dev.coatcheck.db.dispatch;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import dev.coatcheck.db.setting.SettingFault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jobrunr.dashboard.JobRunrApiHandler;
import org.jobrunr.dashboard.JobRunrDashboardWebServer;
import org.jobrunr.dashboard.JobRunrSseHandler;
import org.jobrunr.dashboard.JobRunrStaticFileHandler;
import org.jobrunr.dashboard.server.HttpExchangeHandler;
import org.jobrunr.dashboard.server.http.RedirectHttpHandler;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.ThreadSafeStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JobRunr's dashboard behind a server of ours: JobRunr's own binds every interface and lets any web
 * page that an operator visits delete and requeue jobs.
 */
final class Dashboard extends JobRunrDashboardWebServer {
  private static final Logger log = LoggerFactory.getLogger(Dashboard.class);

  private final StorageProvider storage;
  private final JsonMapper mapper;
  private final DashboardSettings settings;
  private List<HttpExchangeHandler> handlers = List.of();
  private @Nullable ExecutorService threads;
  private @Nullable HttpServer server;

  Dashboard(StorageProvider storage, JsonMapper mapper, DashboardSettings settings) {
    super(storage, mapper);
    this.storage = new ThreadSafeStorageProvider(storage);
    this.mapper = mapper;
    this.settings = settings;
  }

  @Override
  public synchronized void start() {
    HttpServer bound = bind();
    threads = Executors.newThreadPerTaskExecutor(virtualThreads());
    bound.setExecutor(threads);
    handlers =
        List.of(
            new RedirectHttpHandler("/", "/dashboard"),
            new JobRunrStaticFileHandler(),
            new JobRunrApiHandler(storage, mapper, false),
            new JobRunrSseHandler(storage, mapper));
    handlers.forEach(handler -> secure(bound.createContext(handler.getContextPath(), handler)));
    bound.start();
    server = bound;
    log.info("the JobRunr dashboard listens on port {}", bound.getAddress().getPort());
  }

  @Override
  public synchronized void stop() {
    if (server != null) {
      handlers.forEach(HttpExchangeHandler::close);
      server.stop(0);
      server = null;
    }
    if (threads != null) {
      threads.shutdownNow();
      threads = null;
    }
  }

  /** The port it listens on; 0 while it does not. */
  synchronized int port() {
    return server == null ? 0 : server.getAddress().getPort();
  }

  private HttpServer bind() {
    try {
      return HttpServer.create(new InetSocketAddress(settings.address(), settings.port()), 0);
    } catch (IOException e) {
      throw new SettingFault(
          "jobrunr.dashboard.port %d cannot be listened on at coatcheck.dashboard.address"
              .formatted(settings.port()));
    }
  }

  private void secure(HttpContext context) {
    context.getFilters().add(new GuardDashboard(settings));
    String username = settings.username();
    String password = settings.password();
    if (username != null && password != null) {
      context.setAuthenticator(
          new BasicAuthenticator("JobRunr", StandardCharsets.UTF_8) {
            @Override
            public boolean checkCredentials(String givenName, String givenPassword) {
              boolean nameFits = isEqual(givenName, username);
              return isEqual(givenPassword, password) && nameFits;
            }
          });
    }
  }

  private static boolean isEqual(String given, String wanted) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  /** With our class loader, which the server's own dispatcher thread does not have. */
  private static ThreadFactory virtualThreads() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    var threads = Thread.ofVirtual().name("dashboard-", 0).factory();
    return work -> {
      Thread thread = threads.newThread(work);
      thread.setContextClassLoader(loader);
      return thread;
    };
  }
}
