package dev.coatcheck.simulator;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A provider that answers {@code POST …/chat/completions} and {@code POST …/messages} under any
 * prefix, and anything else that a script is for. Of several scripts for one request the newest
 * answers it. Each connection has a virtual thread.
 */
public final class Simulator implements AutoCloseable {
  private static final int BACKLOG = 4096;
  private static final Duration MAX_CLOSING = Duration.ofSeconds(5);
  private static final long PAUSE_AFTER_FAILED_ACCEPT_NS = 10_000_000;

  private final ServerSocket door;
  private final Rules rules = new Rules();
  private final Ledger ledger;
  private final ChooseAnswer chooseAnswer;
  private final ServeConnection serveConnection;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Thread doorkeeper =
      Thread.ofVirtual().name("simulator-door").unstarted(this::accept);

  private Simulator(SimulatorSettings settings, ServerSocket door) {
    this.door = door;
    ledger = new Ledger(settings.ledger());
    chooseAnswer = new ChooseAnswer(rules, settings.latency());
    serveConnection = new ServeConnection(chooseAnswer, ledger);
  }

  /** One for tests: on a free port, without latency. */
  public static Simulator start() {
    return start(SimulatorSettings.quick());
  }

  public static Simulator start(SimulatorSettings settings) {
    try {
      var door = new ServerSocket();
      door.setReuseAddress(true);
      door.bind(new InetSocketAddress(settings.host(), settings.port()), BACKLOG);
      var simulator = new Simulator(settings, door);
      simulator.doorkeeper.start();
      return simulator;
    } catch (IOException unavailable) {
      throw new UncheckedIOException(
          "the simulator cannot listen on %s:%d".formatted(settings.host(), settings.port()),
          unavailable);
    }
  }

  /** What a provider's base URL is set to, {@code http://127.0.0.1:41234/v1}. */
  public URI baseUrl() {
    return url("/v1");
  }

  /** A path on this simulator. */
  public URI url(String path) {
    var address = door.getInetAddress();
    var host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + path);
  }

  public int port() {
    return door.getLocalPort();
  }

  public Ledger ledger() {
    return ledger;
  }

  /** These answers, one a request, each key of the match by itself; after them as if unscripted. */
  public void queue(Match match, Answer... answers) {
    rules.queue(match, List.of(answers));
  }

  /** This answer every time. */
  public void always(Match match, Answer answer) {
    rules.script(match, (request, nth) -> answer);
  }

  public void script(Match match, Script script) {
    rules.script(match, script);
  }

  /** Answers before the body was read, then takes the rest of the request in and closes. */
  public void early(Predicate<RequestHead> match, Answer answer) {
    rules.early(match, answer);
  }

  /** Drops all scripts, and how far each directed prompt had come. */
  public void forget() {
    rules.clear();
    chooseAnswer.forget();
  }

  /** Closes the door and every connection. The port is free afterwards. */
  @Override
  public void close() {
    closeQuietly(door);
    open.forEach(Simulator::closeQuietly);
    try {
      // A virtual thread that waits in accept() keeps the port open until it has woken up.
      doorkeeper.join(MAX_CLOSING);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept() {
    for (long connection = 1; !door.isClosed(); connection++) {
      try {
        admit(door.accept(), connection);
      } catch (IOException closedOrOutOfFiles) {
        if (!door.isClosed()) {
          LockSupport.parkNanos(PAUSE_AFTER_FAILED_ACCEPT_NS);
        }
      }
    }
  }

  private void admit(Socket socket, long connection) {
    open.add(socket);
    Thread.startVirtualThread(
        () -> {
          try {
            serveConnection.serve(socket, connection);
          } finally {
            open.remove(socket);
          }
        });
    if (door.isClosed()) {
      closeQuietly(socket);
    }
  }

  private static void closeQuietly(Closeable thing) {
    try {
      thing.close();
    } catch (IOException alreadyGone) {
      // What cannot be closed is not open.
    }
  }
}
