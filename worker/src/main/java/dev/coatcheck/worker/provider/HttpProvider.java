package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressResult;
import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.provider.ProviderOutcome.Aborted;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.ProviderOutcome.Indeterminate;
import dev.coatcheck.worker.provider.ProviderOutcome.Refused;
import dev.coatcheck.worker.provider.ProviderOutcome.Unreachable;
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
    EgressResult result = egress.exchange(dialect.write(request), call);
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
    Receipt receipt = receipt(received, response);
    if (!received.isSuccess() || response.body().length() == 0) {
      return new Refused(words.refused(received), receipt);
    }
    Json body = received.json();
    Reading reading =
        body == null ? new Reading.Unusable("The answer is not JSON") : dialect.read(body);
    return switch (reading) {
      case Reading.Usable usable -> new Answered(usable.answer(), receipt);
      case Reading.Failed failed -> new Refused(words.embedded(received, failed.body()), receipt);
      case Reading.Blocked blocked ->
          new Refused(words.blocked(received, blocked.words()), receipt);
      case Reading.Unusable unusable ->
          new Refused(words.unusable(received, unusable.words()), receipt);
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
    Receipt receipt = receipt(received, lost);
    return received.isSuccess()
        ? new Indeterminate(words.indeterminate(name, received, lost.cause()), receipt)
        : new Refused(words.refused(received), receipt);
  }

  private Receipt receipt(Received received, EgressResult result) {
    @Nullable String requestId = words.requestId(received);
    return new Receipt(received.status(), requestId, received.body().length(), result.duration());
  }
}
