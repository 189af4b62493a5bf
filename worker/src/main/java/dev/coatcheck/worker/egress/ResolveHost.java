package dev.coatcheck.worker.egress;

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
}
