package dev.coatcheck.app;

import dev.coatcheck.fixture.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Stands between a client and its server, and can be away in the ways that servers are. */
public final class TcpProxy implements AutoCloseable {
  private static final int BUFFER = 16 << 10;

  private final URI target;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  static TcpProxy before(TestDatabase database) {
    return new TcpProxy(URI.create(database.jdbcUrl().substring("jdbc:".length())));
  }

  public TcpProxy(URI target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** The database's JDBC URL by way of here. */
  String jdbcUrl() {
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    return "jdbc:postgresql://127.0.0.1:%d%s%s"
        .formatted(server.getLocalPort(), target.getPath(), query);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Connections end and new ones are closed at once. */
  public void cut() {
    refusing = true;
    open.forEach(TcpProxy::close);
  }

  /** Connections stay and carry nothing. */
  void hang() {
    gate = new CountDownLatch(1);
  }

  public void heal() {
    refusing = false;
    gate.countDown();
  }

  @Override
  public void close() {
    cut();
    heal();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket near = server.accept();
        open.add(near);
        if (refusing) {
          close(near);
        } else {
          Thread.ofVirtual().start(() -> connect(near));
        }
      }
    } catch (IOException e) {
      // Closed, which ends it.
    }
  }

  private void connect(Socket near) {
    try {
      var far = new Socket(InetAddress.getLoopbackAddress(), target.getPort());
      open.add(far);
      Thread.ofVirtual().start(() -> copy(near, far));
      copy(far, near);
    } catch (IOException e) {
      close(near);
    }
  }

  private void copy(Socket from, Socket to) {
    var buffer = new byte[BUFFER];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        gate.await();
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      close(to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
