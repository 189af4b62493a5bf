package dev.coatcheck.simulator;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** One connection: bytes in, bytes out, and the ways to end it. */
final class Wire implements AutoCloseable {
  private static final Duration MAX_IDLE = Duration.ofMinutes(10);
  private static final Duration MAX_DRAIN = Duration.ofSeconds(5);

  private final Socket socket;
  private final OutputStream out;
  private final RequestReader reader;

  Wire(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) MAX_IDLE.toMillis());
    out = socket.getOutputStream();
    reader = new RequestReader(socket.getInputStream());
  }

  RequestReader reader() {
    return reader;
  }

  void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /**
   * Waits, and notices when the caller leaves meanwhile. A caller that has sent its next request
   * already is not seen leaving.
   */
  boolean callerStays(Duration wait) throws IOException {
    long end = System.nanoTime() + wait.toNanos();
    try {
      for (long left = wait.toNanos(); left > 0; left = end - System.nanoTime()) {
        if (reader.buffered() > 0) {
          sleep(left);
        } else if (!awaitInput(left)) {
          return false;
        }
      }
      return true;
    } finally {
      socket.setSoTimeout((int) MAX_IDLE.toMillis());
    }
  }

  /** Ends the connection with RST: what the caller has not read yet may be lost to it. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /**
   * Says that nothing more comes and takes in what the caller still sends: closing at once would be
   * a reset, which could overtake the answer.
   */
  void closeAfterDraining() throws IOException {
    socket.shutdownOutput();
    var in = socket.getInputStream();
    var waste = new byte[8192];
    long end = System.nanoTime() + MAX_DRAIN.toNanos();
    socket.setSoTimeout((int) MAX_DRAIN.toMillis());
    while (in.read(waste) >= 0 && System.nanoTime() < end) {
      // Thrown away.
    }
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private boolean awaitInput(long nanos) throws IOException {
    socket.setSoTimeout(Math.clamp(Math.ceilDiv(nanos, 1_000_000L), 1, Integer.MAX_VALUE));
    try {
      return reader.fill() >= 0;
    } catch (SocketTimeoutException elapsed) {
      return true;
    }
  }

  private static void sleep(long nanos) throws IOException {
    try {
      Thread.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
