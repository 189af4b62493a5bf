package dev.coatcheck.db.intake;

import dev.coatcheck.db.json.RawJson;
import java.nio.ByteBuffer;

/**
 * One number a pair of metadata, for the list's filter: PostgreSQL's text could not hold every
 * string that JSON can.
 */
final class MetadataHash {
  private MetadataHash() {}

  static Long[] of(RawJson metadata) {
    return metadata.members().stream()
        .map(member -> of(member.name(), member.value().text()))
        .toArray(Long[]::new);
  }

  static long of(String name, String value) {
    ByteBuffer pair =
        ByteBuffer.allocate(Integer.BYTES + Character.BYTES * (name.length() + value.length()));
    pair.putInt(name.length());
    pair.asCharBuffer().put(name).put(value);
    return ByteBuffer.wrap(Fingerprint.sha256(pair.array())).getLong();
  }
}
