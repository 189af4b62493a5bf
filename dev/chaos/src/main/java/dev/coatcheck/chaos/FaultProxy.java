package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Weather.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Stands on a port of its own before a server on this machine, and makes the weather between. */
final class FaultProxy implements AutoCloseable {
  private static final int BACKLOG = 200;
  private static final int PIECE = 16 << 10;
  private static final int CONNECT_MS = 2_000;

  private volatile InetSocketAddress server;

  /** Bound without listening, so that nobody gets the port while it refuses. */
  private final Socket held;

  private final InetSocketAddress address;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger reset = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Weather weather = new Weather.Fair();
  private ServerSocket listening;

  private FaultProxy(InetSocketAddress server) {
    this.server = server;
    this.held = hold();
    this.address = new InetSocketAddress(held.getLocalAddress(), held.getLocalPort());
    this.listening = listen(address);
  }

  private static Socket hold() {
    try {
      var socket = new Socket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static FaultProxy before(int port) {
    return new FaultProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Sends new connections to another server. */
  void redirect(int port) {
    server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  int port() {
    return address.getPort();
  }

  /** How many ends of connections the weather has reset so far. */
  int connectionsReset() {
    return reset.get();
  }

  /** Changes the weather, for open connections and for new ones. */
  void set(Weather next) {
    lock.lock();
    try {
      weather = next;
      if (next instanceof Weather.Refused) {
        close(listening);
      } else if (listening.isClosed()) {
        listening = listen(address);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (next instanceof Weather.Cut || next instanceof Weather.Refused) {
      reset.addAndGet(open.size());
      open.forEach(FaultProxy::reset);
    }
  }

  private ServerSocket listen(InetSocketAddress at) {
    try {
      var socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(at, BACKLOG);
      Thread _ = Thread.ofVirtual().start(() -> accept(socket));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket from) {
    try {
      while (true) {
        var near = from.accept();
        Thread _ = Thread.ofVirtual().start(() -> join(near));
      }
    } catch (IOException e) {
      // Closed: nobody listens any more.
    }
  }

  private void join(Socket near) {
    var far = new Socket();
    open.add(near);
    open.add(far);
    try (near;
        far) {
      if (weather() instanceof Weather.Cut || !connects(far)) {
        reset(near);
        return;
      }
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      var back = Thread.ofVirtual().start(() -> carry(far, near, Way.TO_CLIENT));
      carry(near, far, Way.TO_SERVER);
      back.join();
    } catch (IOException e) {
      // One of them was reset meanwhile, and the other went with it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(near);
      open.remove(far);
    }
  }

  private boolean connects(Socket far) {
    try {
      far.connect(server, CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** What it is at the moment. */
  Weather weather() {
    lock.lock();
    try {
      return weather;
    } finally {
      lock.unlock();
    }
  }

  private void carry(Socket from, Socket to, Way way) {
    var piece = new byte[PIECE];
    try {
      var in = from.getInputStream();
      var out = to.getOutputStream();
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        awaitPassage(way, length);
        out.write(piece, 0, length);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      reset(from);
      reset(to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitPassage(Way way, int bytes) throws IOException, InterruptedException {
    switch (afterSilence(way)) {
      case Weather.Slow slow -> Thread.sleep(slow.timeOf(bytes));
      case Weather.Cut _, Weather.Refused _ -> throw new IOException("lost in a cut");
      case Weather.Fair _, Weather.Silent _ -> {}
    }
  }

  private Weather afterSilence(Way way) throws InterruptedException {
    lock.lock();
    try {
      while (weather instanceof Weather.Silent(var ways) && ways.contains(way)) {
        changed.await();
      }
      return weather;
    } finally {
      lock.unlock();
    }
  }

  private static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        socket.close();
      }
    } catch (IOException e) {
      // It closed by itself at that moment.
    }
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // Nothing is sent over it any more, which is what was wanted.
    }
  }

  @Override
  public void close() {
    set(new Weather.Refused());
    close(held);
  }
}
