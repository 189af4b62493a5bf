package dev.coatcheck.worker.egress;

import dev.coatcheck.db.webhook.WebhookReach;
import dev.coatcheck.db.webhook.WebhookUrl;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Lets no host through that has an address which may not be called, one of several included. What
 * it returns is what is connected to, so a name that changes its address afterwards gains nothing.
 */
final class GuardedHosts implements ResolveHost {
  private final ResolveHost names;
  private final WebhookReach reach;

  GuardedHosts(ResolveHost names, WebhookReach reach) {
    this.names = names;
    this.reach = reach;
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    Optional<InetAddress> literal = WebhookUrl.literal(host);
    if (literal.isEmpty() && !WebhookUrl.isName(host)) {
      // The system's resolver would read it in its own way.
      throw new ForbiddenAddress();
    }
    List<InetAddress> addresses =
        literal.isPresent() ? List.of(literal.get()) : names.resolve(host);
    if (!addresses.stream().allMatch(reach::admits)) {
      throw new ForbiddenAddress();
    }
    return addresses;
  }
}
