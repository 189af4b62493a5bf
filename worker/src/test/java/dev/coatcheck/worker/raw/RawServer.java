package dev.coatcheck.worker.raw;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that does to its socket what it is told, byte by byte: one act a request. */
public final class RawServer implements AutoCloseable {
  /** What to do about one request that has been read whole. */
  @FunctionalInterface
  public interface Act {
    void play(Conversation conversation) throws IOException;
  }

  private final ServerSocket listener;
  private final Queue<Act> acts = new ConcurrentLinkedQueue<>();
  private final List<Conversation.Request> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile Act otherwise = conversation -> conversation.answer(200, "{}");
  private volatile boolean readsRequests = true;

  private RawServer(ServerSocket listener) {
    this.listener = listener;
    Thread.ofVirtual().start(this::accept);
  }

  public static RawServer start() throws IOException {
    return on(new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress()));
  }

  /** On a socket of the caller's: a TLS one, say. */
  public static RawServer on(ServerSocket listener) {
    return new RawServer(listener);
  }

  /** The next acts, one a request. */
  public RawServer play(Act... next) {
    acts.addAll(List.of(next));
    return this;
  }

  /** The act when none is left. */
  public RawServer otherwise(Act act) {
    otherwise = act;
    return this;
  }

  /** Plays the act as soon as a connection stands, without reading a request. */
  public RawServer withoutReading() {
    readsRequests = false;
    return this;
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + port() + "/v1/chat/completions");
  }

  public int port() {
    return listener.getLocalPort();
  }

  public List<Conversation.Request> requests() {
    return List.copyOf(requests);
  }

  public int connections() {
    return sockets.size();
  }

  /** Closes every connection from this side, as a server does with idle ones. */
  public void closeConnections() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Conversation conversation = new Conversation(socket);
      while (!socket.isClosed()) {
        if (readsRequests) {
          requests.add(conversation.readRequest());
        }
        Act act = acts.poll();
        (act == null ? otherwise : act).play(conversation);
        if (!readsRequests) {
          return;
        }
      }
    } catch (IOException over) {
      // The client hung up, or the act closed the socket: both end the conversation.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    closeConnections();
  }
}
