package dev.coatcheck.db.dispatch;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Keeps other web pages of an operator's browser away from the dashboard. */
final class GuardDashboard extends Filter {
  private static final int FORBIDDEN = 403;
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OUR_OWN = Set.of("same-origin", "none");
  private static final Pattern THIS_MACHINE =
      Pattern.compile("(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");

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
    String host = headers.getFirst("Host");
    if (settings.password() == null && (host == null || !THIS_MACHINE.matcher(host).matches())) {
      // A name of somebody else's that resolves to this machine: DNS rebinding.
      return false;
    }
    return SAFE.contains(exchange.getRequestMethod()) || isSameOrigin(headers, host);
  }

  /** What sends neither header is no browser. */
  private static boolean isSameOrigin(Headers headers, @Nullable String host) {
    String site = headers.getFirst("Sec-Fetch-Site");
    if (site != null) {
      return OUR_OWN.contains(site);
    }
    String origin = headers.getFirst("Origin");
    return origin == null || (host != null && host.equals(authority(origin)));
  }

  private static @Nullable String authority(String origin) {
    try {
      return URI.create(origin).getAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
