package dev.coatcheck.db.dispatch;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.coatcheck.db.browser.BrowserRequest;
import java.io.IOException;

/** Keeps other web pages of an operator's browser away from the dashboard. */
final class GuardDashboard extends Filter {
  private static final int FORBIDDEN = 403;

  private final DashboardSettings settings;

  GuardDashboard(DashboardSettings settings) {
    this.settings = settings;
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("X-Frame-Options", "DENY");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    if (isOurs(exchange)) {
      chain.doFilter(exchange);
    } else {
      exchange.sendResponseHeaders(FORBIDDEN, -1);
      exchange.close();
    }
  }

  @Override
  public String description() {
    return "refuses cross-site requests";
  }

  private boolean isOurs(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    var request =
        new BrowserRequest(
            exchange.getRequestMethod(),
            headers.getFirst("Host"),
            headers.getFirst("Sec-Fetch-Site"),
            headers.getFirst("Origin"));
    return (settings.password() != null || request.namesThisMachine()) && request.isOurs();
  }
}
