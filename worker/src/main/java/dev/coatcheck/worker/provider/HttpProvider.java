package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.EgressResult;
import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.provider.Dialect.Draft;
import dev.coatcheck.worker.provider.ProviderOutcome.Aborted;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.ProviderOutcome.Indeterminate;
import dev.coatcheck.worker.provider.ProviderOutcome.Refused;
import dev.coatcheck.worker.provider.ProviderOutcome.Unreachable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A provider over HTTP, in its dialect. */
final class HttpProvider implements Provider {
  private final String name;
  private final int maxConcurrency;
  private final Dialect dialect;
  private final Egress egress;
  private final NameOutcome words;

  HttpProvider(String name, ProviderSettings settings, Egress egress, NameOutcome words) {
    this.name = name;
    this.maxConcurrency = settings.maxConcurrency();
    this.dialect = Dialect.named(settings.dialect()).orElseThrow().with(settings);
    this.egress = egress;
    this.words = words;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int maxConcurrency() {
    return maxConcurrency;
  }

  @Override
  public ProviderOutcome ask(TurnRequest request, OutboundCall call) {
    return switch (dialect.write(request)) {
      case Draft.Untranslatable no ->
          new Unreachable(
              words.untranslatable(name, no.path() + " " + no.why()),
              new Receipt(null, null, 0, Duration.ZERO));
      case Draft.Sendable(EgressRequest ready) -> send(ready, request.listener(), call);
    };
  }

  private ProviderOutcome send(
      EgressRequest request, @Nullable TextListener listener, OutboundCall call) {
    if (listener == null) {
      return outcome(egress.exchange(request, call));
    }
    var stream = new ReadStream(name, dialect, listener);
    EgressResult result = egress.exchange(request, call, stream);
    return stream
        .head()
        .map(head -> streamed(stream, head, result))
        .orElseGet(() -> outcome(result));
  }

  private ProviderOutcome outcome(EgressResult result) {
    return switch (result) {
      case EgressResult.Response response -> answered(response);
      case EgressResult.NotSent unsent ->
          new Unreachable(
              words.unreachable(name, unsent.cause()),
              new Receipt(null, null, 0, unsent.duration()));
      case EgressResult.Lost lost -> lost(lost);
      case EgressResult.Aborted aborted ->
          new Aborted(
              aborted.reason(), aborted.reach(), new Receipt(null, null, 0, aborted.duration()));
    };
  }

  private ProviderOutcome answered(EgressResult.Response response) {
    Received received = new Received(name, response.status(), response.headers(), response.body());
    Receipt receipt = receipt(received, received.body().length(), response);
    if (!received.isSuccess() || response.body().length() == 0) {
      return new Refused(words.refused(received), receipt);
    }
    Json body = received.json();
    Reading reading =
        body == null ? new Reading.Unusable("The answer is not JSON") : dialect.read(body);
    return read(reading, received, receipt);
  }

  private ProviderOutcome read(Reading reading, Received received, Receipt receipt) {
    return switch (reading) {
      case Reading.Usable usable -> new Answered(usable.answer(), receipt);
      case Reading.Failed failed -> new Refused(words.embedded(received, failed.body()), receipt);
      case Reading.Blocked blocked ->
          new Refused(words.blocked(received, blocked.words()), receipt);
      case Reading.Unusable unusable ->
          new Refused(words.unusable(received, unusable.words()), receipt);
      case Reading.Unfinished _ -> new Indeterminate(words.interrupted(received), receipt);
    };
  }

  /** What was read stands, however the connection ended; only a stream without its end asks how. */
  private ProviderOutcome streamed(ReadStream stream, Received head, EgressResult result) {
    Reading reading = stream.end();
    Receipt receipt = receipt(head, stream.bytes(), result);
    if (!(reading instanceof Reading.Unfinished)) {
      return read(reading, head, receipt);
    }
    return switch (result) {
      case EgressResult.Response _, EgressResult.NotSent _ -> read(reading, head, receipt);
      case EgressResult.Lost lost ->
          new Indeterminate(words.interrupted(head, lost.cause()), receipt);
      case EgressResult.Aborted aborted -> new Aborted(aborted.reason(), aborted.reach(), receipt);
    };
  }

  /** A refusal whose body broke off is a refusal still: its status stands. */
  private ProviderOutcome lost(EgressResult.Lost lost) {
    Head head = lost.head();
    if (head == null) {
      return new Indeterminate(
          words.indeterminate(name, null, lost.cause()),
          new Receipt(null, null, 0, lost.duration()));
    }
    Received received = new Received(name, head.status(), head.headers(), head.received());
    Receipt receipt = receipt(received, received.body().length(), lost);
    return received.isSuccess()
        ? new Indeterminate(words.indeterminate(name, received, lost.cause()), receipt)
        : new Refused(words.refused(received), receipt);
  }

  private Receipt receipt(Received received, long bytes, EgressResult result) {
    @Nullable String requestId = words.requestId(received);
    return new Receipt(received.status(), requestId, bytes, result.duration());
  }
}
