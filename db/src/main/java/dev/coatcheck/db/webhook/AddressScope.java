package dev.coatcheck.db.webhook;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whose an address is, by a table of our own after IANA's registries of special-purpose addresses:
 * the JDK's predicates take shared, translated and unique local addresses for public ones.
 */
public enum AddressScope {
  /** Anybody's on the internet. */
  PUBLIC,
  /** A network's own, or this machine: called only where the operator says so. */
  PRIVATE,
  /** Nobody's that a webhook could mean: metadata services, multicast, tunnels, reserved blocks. */
  FORBIDDEN;

  private static final int IPV4_LENGTH = 4;

  /** Looked at first, since they lie in blocks that are private or public as a whole. */
  private static final List<Cidr> METADATA =
      blocks("100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::254/128", "fd20:ce::254/128");

  private static final List<Cidr> PRIVATES =
      blocks(
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "::1/128",
          "fc00::/7");

  private static final List<Cidr> FORBIDDENS =
      blocks(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.31.196.0/24",
          "192.52.193.0/24",
          "192.88.99.0/24",
          "192.175.48.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/3",
          // Teredo, ORCHID, benchmarking and the other protocols of this block.
          "2001::/23",
          "2001:db8::/32",
          // 6to4: the address of a relay is in it.
          "2002::/16",
          "2620:4f:8000::/48",
          "3fff::/20");

  /** All that is assigned for use on the internet; outside of it nothing is public. */
  private static final Cidr GLOBAL_IPV6 = Cidr.of("2000::/3");

  /** NAT64: where a network speaks IPv6 alone, each IPv4 address is resolved to one of these. */
  private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");

  public static AddressScope of(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (NAT64.contains(bytes)) {
      byte[] inner = Arrays.copyOfRange(bytes, bytes.length - IPV4_LENGTH, bytes.length);
      return ofBytes(inner) == PUBLIC ? PUBLIC : FORBIDDEN;
    }
    return ofBytes(bytes);
  }

  private static AddressScope ofBytes(byte[] address) {
    if (isIn(METADATA, address)) {
      return FORBIDDEN;
    }
    if (isIn(PRIVATES, address)) {
      return PRIVATE;
    }
    boolean assigned = address.length == IPV4_LENGTH || GLOBAL_IPV6.contains(address);
    return assigned && !isIn(FORBIDDENS, address) ? PUBLIC : FORBIDDEN;
  }

  private static boolean isIn(List<Cidr> blocks, byte[] address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  private static List<Cidr> blocks(String... texts) {
    return Stream.of(texts).map(Cidr::of).toList();
  }
}
