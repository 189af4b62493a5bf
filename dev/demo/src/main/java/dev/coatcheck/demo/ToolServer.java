package dev.coatcheck.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody's tools, with a ledger of their own: what was asked for, and what took effect. */
final class ToolServer implements AutoCloseable {
  private final Say say;
  private final HttpServer server;
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private volatile Runnable killer = () -> {};

  /** How often a tool was asked, and what it did. */
  record Tally(AtomicInteger sends, AtomicInteger effects) {
    Tally() {
      this(new AtomicInteger(), new AtomicInteger());
    }
  }

  ToolServer(Say say) {
    this.say = say;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What ends the worker, between an effect and its reply. */
  void killWith(Runnable end) {
    killer = end;
  }

  Tally tally(String tool) {
    return tallies.computeIfAbsent(tool, name -> new Tally());
  }

  private void serve(HttpExchange exchange) throws IOException {
    String tool = exchange.getRequestURI().getPath().substring(1);
    exchange.getRequestBody().readAllBytes();
    Tally tally = tally(tool);
    int send = tally.sends().incrementAndGet();
    String key =
        exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of("")).getFirst();
    switch (tool) {
      case "look_up_order" -> answer(exchange, "{\"order\":\"4711\",\"total\":\"12.50\"}");
      case "refund" -> refund(exchange, key, send);
      default -> mail(exchange);
    }
  }

  /** Honours the key: an effect for the first request with it, the same reply for all. */
  private void refund(HttpExchange exchange, String key, int send) throws IOException {
    if (!seen.add(key)) {
      say.line("refund is asked again under the same effect key, and has nothing left to do");
      answer(exchange, "{\"refunded\":\"12.50\"}");
      return;
    }
    tally("refund").effects().incrementAndGet();
    say.line("refund (keyed) pays the money back, send " + send);
    killer.run();
    exchange.close();
  }

  /** Sends a mail for each request, whatever its key. */
  private void mail(HttpExchange exchange) {
    tally("mail_customer").effects().incrementAndGet();
    say.line("mail_customer (at-most-once) sends the mail");
    killer.run();
    exchange.close();
  }

  private static void answer(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
