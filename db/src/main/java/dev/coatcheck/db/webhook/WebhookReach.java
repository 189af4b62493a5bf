package dev.coatcheck.db.webhook;

import java.net.InetAddress;

/** How far webhooks may reach: {@code coatcheck.webhooks.allow-private-addresses}. */
public enum WebhookReach {
  /** Public addresses over https, on 443 and 8443. */
  PUBLIC,
  /** Also http, any port, private and loopback addresses. */
  PRIVATE_TOO;

  /** Whether that address may be connected to. */
  public boolean admits(InetAddress address) {
    return switch (AddressScope.of(address)) {
      case PUBLIC -> true;
      case PRIVATE -> this == PRIVATE_TOO;
      case FORBIDDEN -> false;
    };
  }
}
