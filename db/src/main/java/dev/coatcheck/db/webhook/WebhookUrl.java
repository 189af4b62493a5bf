package dev.coatcheck.db.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a webhook goes: an absolute URL in the one spelling that no two parsers read differently.
 * What its name stands for is known only when it is connected to, and checked then.
 *
 * @param uri with scheme and host in lower case
 */
public record WebhookUrl(URI uri) {
  /** The longest one accepted. */
  public static final int MAX_LENGTH = 2_048;

  private static final int MAX_HOST = 253;
  private static final int MAX_PORT = 65_535;
  private static final Set<Integer> PUBLIC_PORTS = Set.of(443, 8443);

  private static final Pattern FORM =
      Pattern.compile(
          "((?i:https?))://"
              + "(\\[[0-9A-Fa-f:.]{2,45}\\]|[A-Za-z0-9.-]+)"
              + "(?::([0-9]{1,5}))?"
              + "((?:/[A-Za-z0-9._~!$&'()*+,;=:@/%-]*)?(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?)");

  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private static final Pattern NAME =
      Pattern.compile(
          "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*");

  /** Some parser takes a host for an IPv4 address that ends like this. */
  private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)");

  private static final Pattern QUAD =
      Pattern.compile(
          "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}"
              + "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])");

  /** Names that only a private network or this machine knows. */
  private static final Pattern PRIVATE_NAME =
      Pattern.compile(
          "[^.]+|(?:.*\\.)?(?:localhost|localdomain|local|internal|intranet|lan|home\\.arpa|onion)");

  /** What a text turned out to be. */
  public sealed interface Read {
    record Good(WebhookUrl url) implements Read {}

    /**
     * @param why what it must be, in words that follow the member's name
     */
    record Refused(String why) implements Read {}
  }

  /** Reads a URL that somebody gave; nothing is looked up. */
  public static Read read(String text, WebhookReach reach) {
    if (text.length() > MAX_LENGTH) {
      return new Read.Refused("must have at most 2048 characters");
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches() || BAD_ESCAPE.matcher(text).find()) {
      return new Read.Refused(
          "must be an absolute https URL in ASCII, without user, password and fragment");
    }
    String scheme = form.group(1).toLowerCase(Locale.ROOT);
    String host = form.group(2).toLowerCase(Locale.ROOT);
    int port = form.group(3) == null ? defaultPort(scheme) : Integer.parseInt(form.group(3));
    return faultOf(scheme, port, reach)
        .or(() -> faultOf(host, reach))
        .<Read>map(Read.Refused::new)
        .orElseGet(
            () -> {
              String written = form.group(3) == null ? "" : ":" + port;
              URI uri = URI.create(scheme + "://" + host + written + form.group(4));
              return new Read.Good(new WebhookUrl(uri));
            });
  }

  /** Whom it is sent to: webhooks of one endpoint share its fate. */
  public String endpoint() {
    int port = uri.getPort() < 0 ? defaultPort(uri.getScheme()) : uri.getPort();
    return uri.getHost() + ":" + port;
  }

  /** Never the path or the query: they may hold a secret. */
  @Override
  public String toString() {
    return "WebhookUrl[" + endpoint() + "]";
  }

  /** The address that a host is, if it is written as one; the name system is not asked. */
  public static Optional<InetAddress> literal(String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String bare = bracketed ? host.substring(1, host.length() - 1) : host;
    if (bare.indexOf(':') < 0 && !QUAD.matcher(bare).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(bare));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether a host is a name, and nothing that could be read as an address. */
  public static boolean isName(String host) {
    return host.length() <= MAX_HOST
        && NAME.matcher(host).matches()
        && !ENDS_IN_NUMBER.matcher(host).matches();
  }

  private static Optional<String> faultOf(String scheme, int port, WebhookReach reach) {
    if (reach == WebhookReach.PUBLIC && !scheme.equals("https")) {
      return Optional.of("must be https");
    }
    if (reach == WebhookReach.PUBLIC && !PUBLIC_PORTS.contains(port)) {
      return Optional.of("must be on port 443 or 8443");
    }
    return port >= 1 && port <= MAX_PORT
        ? Optional.empty()
        : Optional.of("must have a port of 1 to 65535");
  }

  private static Optional<String> faultOf(String host, WebhookReach reach) {
    Optional<InetAddress> address = literal(host);
    if (address.isPresent()) {
      return reach.admits(address.get())
          ? Optional.empty()
          : Optional.of("must not be an address that webhooks may not reach");
    }
    if (!isName(host)) {
      return Optional.of("must have a host that is a name or an address in its usual spelling");
    }
    return reach == WebhookReach.PUBLIC && PRIVATE_NAME.matcher(host).matches()
        ? Optional.of("must have a host that the internet knows")
        : Optional.empty();
  }

  private static int defaultPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }
}
