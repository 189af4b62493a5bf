package dev.coatcheck.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port that nobody listens on. */
final class FreePort {
  private FreePort() {}

  static int find() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new PostgresFailedException("No free port on 127.0.0.1: " + e.getMessage(), e);
    }
  }
}
