package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Sends one answer, or as much of it as it is meant to. */
final class SendAnswer {
  private static final Duration MAX_SILENCE = Duration.ofHours(1);
  private static final long MAX_ENDLESS_BYTES = 1L << 40;
  private static final int BOMB_CHUNK_BYTES = 32 * 1024;
  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(ISO_8859_1);

  private final Wire wire;
  private final ReceivedRequest request;
  private boolean isLast;

  SendAnswer(Wire wire, ReceivedRequest request) {
    this.wire = wire;
    this.request = request;
  }

  /** Whether the connection is of no use after this answer. */
  boolean isLast() {
    return isLast;
  }

  Ending send(Answer answer) throws IOException {
    return switch (answer) {
      case Whole whole -> whole(whole.to(request));
      case Answer.Delayed(var delay, var then) ->
          wire.callerStays(delay) ? send(then) : callerLeft();
      case Answer.Nothing(var parting) -> part(parting);
      case Answer.Partial(var of, int bytes, var parting) ->
          partial(of.to(request), bytes, parting);
      case Answer.Parted(var after, var parting) -> parted(after.to(request), parting);
      case Answer.Raw(var bytes, var parting) -> {
        wire.write(bytes.array());
        yield part(parting);
      }
      case Answer.Trickle(var of, var every) -> trickle(of.to(request), every);
      case Answer.Streamed(var of, var how) -> streamed(of, how);
      case Answer.Endless(var of) -> endless(of);
      case Answer.GzipBomb(long bytes) -> bomb(bytes);
    };
  }

  private Ending whole(Reply reply) throws IOException {
    boolean sendsBody = !request.method().equals("HEAD");
    int length = sendsBody ? reply.body().length() : 0;
    wire.write(bytes(reply, length, sendsBody && reply.framing() == Framing.CHUNKED));
    isLast = isLast || reply.framing() == Framing.UNTIL_CLOSE;
    return Ending.WHOLE;
  }

  private Ending parted(Reply reply, Parting parting) throws IOException {
    var ending = whole(reply);
    part(parting);
    return ending;
  }

  private Ending partial(Reply reply, int bodyBytes, Parting parting) throws IOException {
    wire.write(bytes(reply, Math.min(bodyBytes, reply.body().length()), false));
    return part(parting);
  }

  private Ending part(Parting parting) throws IOException {
    isLast = true;
    return switch (parting) {
      case CLOSE -> Ending.BROKEN_OFF;
      case RESET -> {
        wire.reset();
        yield Ending.BROKEN_OFF;
      }
      case SILENCE -> wire.callerStays(MAX_SILENCE) ? Ending.BROKEN_OFF : Ending.CALLER_LEFT;
    };
  }

  private Ending callerLeft() {
    isLast = true;
    return Ending.CALLER_LEFT;
  }

  /** Head and body in one array: one system call, and usually one packet. */
  private byte[] bytes(Reply reply, int bodyBytes, boolean endsChunks) {
    var head = WriteHead.of(reply, request);
    boolean isChunked = reply.framing() == Framing.CHUNKED && bodyBytes > 0;
    if (isChunked) {
      head.append(Integer.toHexString(bodyBytes)).append("\r\n");
    }
    var start = head.toString().getBytes(ISO_8859_1);
    int tail = (isChunked ? 2 : 0) + (endsChunks ? LAST_CHUNK.length : 0);
    var all = Arrays.copyOf(start, start.length + bodyBytes + tail);
    System.arraycopy(reply.body().array(), 0, all, start.length, bodyBytes);
    int end = start.length + bodyBytes;
    if (isChunked) {
      all[end++] = '\r';
      all[end++] = '\n';
    }
    if (endsChunks) {
      System.arraycopy(LAST_CHUNK, 0, all, end, LAST_CHUNK.length);
    }
    return all;
  }

  private Ending trickle(Reply reply, Duration every) throws IOException {
    wire.write(bytes(reply, 0, false));
    boolean isChunked = reply.framing() == Framing.CHUNKED;
    for (byte one : reply.body().array()) {
      if (!wire.callerStays(every)) {
        return callerLeft();
      }
      wire.write(isChunked ? new byte[] {'1', '\r', '\n', one, '\r', '\n'} : new byte[] {one});
    }
    if (isChunked) {
      wire.write(LAST_CHUNK);
    }
    isLast = reply.framing() == Framing.UNTIL_CLOSE;
    return Ending.WHOLE;
  }

  private Ending streamed(Completion completion, Streaming how) throws IOException {
    boolean wantsStream = request.payload().chat().filter(ChatRequest::wantsStream).isPresent();
    return wantsStream
        ? new SendEvents(wire, how)
            .send(headOfStream(), completion.events(request, how.usage()), this::part)
        : whole(completion.to(request));
  }

  private byte[] headOfStream() {
    return bytes(Completion.stream(Body.EMPTY), 0, false);
  }

  private Ending endless(Reply reply) throws IOException {
    isLast = true;
    var chunks = reply.framed(Framing.CHUNKED);
    wire.write(bytes(chunks, 0, false));
    var out = new ChunkedOutput(wire);
    for (long sent = 0; sent < MAX_ENDLESS_BYTES; sent += reply.body().length()) {
      out.write(reply.body().array());
    }
    return Ending.BROKEN_OFF;
  }

  private Ending bomb(long inflatedBytes) throws IOException {
    isLast = true;
    var headers =
        new Headers(
            List.of(
                new Header("content-type", "application/json"),
                new Header("content-encoding", "gzip")));
    wire.write(bytes(new Reply(200, headers, Body.EMPTY, Framing.CHUNKED), 0, false));
    var filler = new byte[BOMB_CHUNK_BYTES];
    Arrays.fill(filler, (byte) 'a');
    try (var gzip =
        new GZIPOutputStream(
            new BufferedOutputStream(new ChunkedOutput(wire), BOMB_CHUNK_BYTES),
            BOMB_CHUNK_BYTES)) {
      gzip.write("{\"choices\":[{\"message\":{\"content\":\"".getBytes(ISO_8859_1));
      for (long left = inflatedBytes; left > 0; left -= filler.length) {
        gzip.write(filler, 0, (int) Math.min(left, filler.length));
      }
      gzip.write("\"}}]}".getBytes(ISO_8859_1));
    }
    return Ending.WHOLE;
  }
}
