package dev.coatcheck.db.tool;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.json.CanonicalJson;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.StrictJson;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * What a tool is to have one effect for: made of the call's place in the job and of what is asked.
 * Never of the provider's id of the call, which changes when a turn is asked again.
 */
public record EffectKey(String value) {
  /**
   * @param arguments as the model wrote them; how they are spelt does not count if they are JSON
   */
  public static EffectKey of(Place place, String name, byte[] arguments) {
    MessageDigest hash = Hash.of("effect", place.job(), place.turn(), place.ordinal());
    ByteBuffer words = ByteBuffer.allocate(Integer.BYTES + name.length() * Character.BYTES);
    name.chars().forEach(unit -> words.putChar((char) unit));
    hash.update(words.putInt(name.length()).array());
    hash.update(canonical(arguments));
    return new EffectKey(HexFormat.of().formatHex(hash.digest()));
  }

  /**
   * Where in a job a call is.
   *
   * @param turn from 1
   * @param ordinal from 1, in the order of the turn
   */
  public record Place(JobId job, int turn, int ordinal) {
    public ToolCallId id() {
      return ToolCallId.of(job, turn, ordinal);
    }
  }

  private static byte[] canonical(byte[] arguments) {
    return StrictJson.faultOf(arguments).isEmpty()
        ? CanonicalJson.of(RawJson.of(arguments))
        : arguments;
  }

  @Override
  public String toString() {
    return value;
  }
}
