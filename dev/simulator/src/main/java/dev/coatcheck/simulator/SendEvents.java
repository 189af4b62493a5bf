package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coatcheck.simulator.Streaming.Extra;
import dev.coatcheck.simulator.Streaming.Flaw;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends a stream an event at a time, or as much of it as it is meant to. */
final class SendEvents {
  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(UTF_8);

  private final Wire wire;
  private final Streaming how;

  SendEvents(Wire wire, Streaming how) {
    this.wire = wire;
    this.how = how;
  }

  /** What becomes of the connection where a stream breaks off. */
  @FunctionalInterface
  interface Part {
    Ending part(Parting parting) throws IOException;
  }

  Ending send(byte[] head, TurnEvents turn, Part part) throws IOException {
    List<String> events = new ArrayList<>(turn.answer());
    if (how.flaw() != Flaw.NO_END) {
      events.addAll(turn.end());
    }
    wire.write(head);
    long start = System.nanoTime();
    for (int sent = 0; sent < events.size(); sent++) {
      if (isHere(sent)) {
        return flaw(turn, part);
      }
      if (!keepsPace(start, sent + 1)) {
        return Ending.CALLER_LEFT;
      }
      wire.write(chunk((how.pings() == Extra.WITH ? turn.ping() : "") + events.get(sent)));
    }
    wire.write(LAST_CHUNK);
    return how.flaw() == Flaw.NO_END ? Ending.BROKEN_OFF : Ending.WHOLE;
  }

  /**
   * Waits until the nth event is due, which one that comes late makes no later; false if the caller
   * left meanwhile.
   */
  private boolean keepsPace(long start, int nth) throws IOException {
    long left = start + how.every().toNanos() * nth - System.nanoTime();
    return !how.every().isPositive() || left <= 0 || wire.callerStays(Duration.ofNanos(left));
  }

  private boolean isHere(int sent) {
    return how.flaw() != Flaw.NONE && how.flaw() != Flaw.NO_END && sent == how.after();
  }

  private Ending flaw(TurnEvents turn, Part part) throws IOException {
    return switch (how.flaw()) {
      case RESET -> part.part(Parting.RESET);
      case STALL -> part.part(Parting.SILENCE);
      case ERROR -> {
        wire.write(chunk(turn.error()));
        wire.write(LAST_CHUNK);
        yield part.part(Parting.CLOSE);
      }
      case CUT, NO_END, NONE -> part.part(Parting.CLOSE);
    };
  }

  private static byte[] chunk(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    var chunk = new ByteArrayOutputStream(bytes.length + 16);
    chunk.writeBytes((Integer.toHexString(bytes.length) + "\r\n").getBytes(UTF_8));
    chunk.writeBytes(bytes);
    chunk.writeBytes("\r\n".getBytes(UTF_8));
    return chunk.toByteArray();
  }
}
