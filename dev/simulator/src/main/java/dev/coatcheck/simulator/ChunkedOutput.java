package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Every write becomes a chunk; closing sends the last one. */
final class ChunkedOutput extends OutputStream {
  private final Wire wire;

  ChunkedOutput(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    wire.write((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
    wire.write(Arrays.copyOfRange(bytes, offset, offset + length));
    wire.write(new byte[] {'\r', '\n'});
  }

  @Override
  public void close() throws IOException {
    wire.write("0\r\n\r\n".getBytes(ISO_8859_1));
  }
}
