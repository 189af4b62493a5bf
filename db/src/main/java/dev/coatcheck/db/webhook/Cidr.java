package dev.coatcheck.db.webhook;

import java.net.InetAddress;
import java.util.HexFormat;

/** A block of addresses. */
final class Cidr {
  private final byte[] prefix;
  private final int bits;

  private Cidr(byte[] prefix, int bits) {
    this.prefix = prefix;
    this.bits = bits;
  }

  /** Reads {@code address/bits}. */
  static Cidr of(String text) {
    int slash = text.indexOf('/');
    byte[] prefix = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
    return new Cidr(prefix, Integer.parseInt(text.substring(slash + 1)));
  }

  /** Whether an address of the same family lies in the block. */
  boolean contains(byte[] address) {
    if (address.length != prefix.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (address[i] != prefix[i]) {
        return false;
      }
    }
    int rest = bits % Byte.SIZE;
    int mask = (0xff << (Byte.SIZE - rest)) & 0xff;
    return rest == 0 || (address[whole] & mask) == (prefix[whole] & mask);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(prefix) + "/" + bits;
  }
}
