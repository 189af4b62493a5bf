package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.time.Instant;
import java.util.Optional;

/** Answers the requests of one connection, one after the other, until either side ends it. */
final class ServeConnection {
  private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1);

  private final ChooseAnswer chooseAnswer;
  private final Ledger ledger;
  private final LedgerPage ledgerPage;

  ServeConnection(ChooseAnswer chooseAnswer, Ledger ledger) {
    this.chooseAnswer = chooseAnswer;
    this.ledger = ledger;
    this.ledgerPage = new LedgerPage(ledger);
  }

  void serve(Socket socket, long connection) {
    try (socket;
        var wire = new Wire(socket)) {
      try {
        while (serveOne(wire, connection)) {
          // The next one.
        }
      } catch (MalformedRequest refused) {
        ledger.refused();
        refuse(wire, refused);
      }
    } catch (IOException callerLeft) {
      // Nobody is left to be told, and the ledger has it.
    }
  }

  /** Whether another request may follow on this connection. */
  private boolean serveOne(Wire wire, long connection) throws IOException {
    var head = wire.reader().readHead();
    return head.isPresent() && serve(wire, connection, head.get());
  }

  private boolean serve(Wire wire, long connection, RequestHead head) throws IOException {
    if (head.path().equals(LedgerPage.PATH)) {
      wire.reader().readBody(head);
      return answerLedger(wire, head);
    }
    var early = chooseAnswer.early(head);
    if (early.isPresent()) {
      var request = received(connection, head, ReceivedRequest.Payload.NONE);
      send(wire, request, early);
      wire.closeAfterDraining();
      return false;
    }
    if (head.headers().first("expect").orElse("").equalsIgnoreCase("100-continue")) {
      wire.write(CONTINUE);
    }
    var payload = ReceivedRequest.Payload.of(head, wire.reader().readBody(head));
    return send(wire, received(connection, head, payload), Optional.empty());
  }

  private ReceivedRequest received(
      long connection, RequestHead head, ReceivedRequest.Payload payload) {
    var request =
        new ReceivedRequest(ledger.nextNumber(), connection, Instant.now(), head, payload);
    ledger.arrived(request);
    return request;
  }

  private boolean send(Wire wire, ReceivedRequest request, Optional<Answer> decided)
      throws IOException {
    var sender = new SendAnswer(wire, request);
    var ending = Ending.CALLER_LEFT;
    try {
      ending = sender.send(decided.orElseGet(() -> chooseAnswer.answer(request)));
    } finally {
      ledger.ended(request, ending);
    }
    return !sender.isLast() && !request.head().endsConnection();
  }

  private boolean answerLedger(Wire wire, RequestHead head) throws IOException {
    var request = new ReceivedRequest(0, 0, Instant.now(), head, ReceivedRequest.Payload.NONE);
    new SendAnswer(wire, request).send(ledgerPage.answer(head));
    return !head.endsConnection();
  }

  private static void refuse(Wire wire, MalformedRequest refused) throws IOException {
    var reply =
        OpenAiErrors.of(
                refused.status(), "invalid_request_error", String.valueOf(refused.getMessage()))
            .with("connection", "close");
    var head = new RequestHead("GET", "/", "HTTP/1.1", Headers.NONE);
    var request = new ReceivedRequest(0, 0, Instant.now(), head, ReceivedRequest.Payload.NONE);
    new SendAnswer(wire, request).send(reply);
    wire.closeAfterDraining();
  }
}
