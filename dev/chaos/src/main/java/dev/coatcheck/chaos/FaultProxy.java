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
  private final InetSocketAddress address;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger reset = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Weather weather = new Weather.Fair();
  private ServerSocket listening;

  private FaultProxy(InetSocketAddress server) {
    this.server = server;
    this.listening = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    this.address = new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
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

  /** How many connections the weather has reset so far. */
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
      open.forEach(this::reset);
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
      if (now() instanceof Weather.Cut) {
        reset(near);
        return;
      }
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      far.connect(server, CONNECT_MS);
      var back = Thread.ofVirtual().start(() -> carry(far, near, Way.TO_CLIENT));
      carry(near, far, Way.TO_SERVER);
      back.join();
    } catch (IOException e) {
      reset(near);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(near);
      open.remove(far);
    }
  }

  private Weather now() {
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
      close(from);
      close(to);
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

  private void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        reset.incrementAndGet();
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
  }
}
