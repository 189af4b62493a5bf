package dev.coatcheck.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.TreeSet;

/** Looks from which of this machine's addresses a port can be reached. */
final class Interfaces {
  private static final int TIMEOUT_MS = 500;

  private Interfaces() {}

  /** {@code loopback}, {@code other}, both or neither. */
  static Set<String> listening(int port) throws SocketException {
    var reached = new TreeSet<String>();
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> answers(address, port))
        .forEach(address -> reached.add(address.isLoopbackAddress() ? "loopback" : "other"));
    return reached;
  }

  private static boolean answers(InetAddress address, int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), TIMEOUT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
