package dev.coatcheck.db.browser;

import java.net.URI;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request as far as it tells whether another web page has sent it.
 *
 * @param host the header {@code Host}
 * @param site the header {@code Sec-Fetch-Site}
 * @param origin the header {@code Origin}
 */
public record BrowserRequest(
    String method, @Nullable String host, @Nullable String site, @Nullable String origin) {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OUR_OWN = Set.of("same-origin", "none");
  private static final Pattern THIS_MACHINE =
      Pattern.compile("(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");

  /** Whether it asks for this machine by a name that only this machine has. */
  public boolean namesThisMachine() {
    // Any other may be somebody else's that resolves to this machine: DNS rebinding.
    return host != null && THIS_MACHINE.matcher(host).matches();
  }

  /** Whether it is none by which another web page might give a command. */
  public boolean isOurs() {
    return SAFE.contains(method) || isSameOrigin();
  }

  /** What sends neither header is no browser. */
  private boolean isSameOrigin() {
    if (site != null) {
      return OUR_OWN.contains(site);
    }
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
