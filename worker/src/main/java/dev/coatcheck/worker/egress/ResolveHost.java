package dev.coatcheck.worker.egress;

import dev.coatcheck.db.webhook.WebhookReach;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/** Turns a host's name into addresses. The addresses it returns are the ones connected to. */
public interface ResolveHost {
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** The system's resolver; nobody waits longer than the limit for it. */
  static ResolveHost system(Duration limit) {
    return new SystemHosts(limit);
  }

  /** Those of the other, but none of a host with an address that webhooks may not reach. */
  static ResolveHost guarded(ResolveHost names, WebhookReach reach) {
    return new GuardedHosts(names, reach);
  }
}
