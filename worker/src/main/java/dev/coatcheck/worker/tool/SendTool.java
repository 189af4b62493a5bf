package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.json.AsciiJson;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.tool.ToolDefinition;
import dev.coatcheck.db.tool.ToolWork;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.EgressResult;
import dev.coatcheck.worker.egress.Header;
import dev.coatcheck.worker.egress.Headers;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.retry.Classify;
import dev.coatcheck.worker.retry.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Sends a tool's request, once, and reads what comes back. */
final class SendTool {
  /** What may be asked again, besides 5xx: the tool has not said that the request is wrong. */
  private static final Set<Integer> ASK_AGAIN = Set.of(408, 409, 425, 429);

  private final Egress egress;
  private final ToolTexts texts;
  private final InstantSource clock;

  SendTool(Egress egress, ToolTexts texts, InstantSource clock) {
    this.egress = egress;
    this.texts = texts;
    this.clock = clock;
  }

  /** What is sent. */
  record Sending(Lease lease, ToolCallRow call, ToolDefinition tool, ToolWork.Http work) {}

  ToolOutcome send(Sending sending, JobFacts job, OutboundCall call) {
    var request =
        new EgressRequest(
            sending.work().url(),
            headers(sending),
            body(sending, job),
            sending.tool().timeout(),
            CallResult.MAX_BYTES);
    return switch (egress.exchange(request, call)) {
      case EgressResult.Response response ->
          answered(sending.tool(), response.status(), response.headers(), response.body());
      case EgressResult.NotSent unsent ->
          new ToolOutcome.NotSent(
              sending.tool().name() + " could not be reached: " + unsent.cause().words());
      case EgressResult.Lost lost -> lost(sending.tool(), lost);
      case EgressResult.Aborted aborted -> new ToolOutcome.Aborted(aborted.reach());
    };
  }

  private static List<Header> headers(Sending sending) {
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Content-Type", "application/json"));
    headers.add(new Header("Accept", "application/json"));
    headers.add(new Header("Idempotency-Key", sending.call().effectKey().value()));
    sending
        .work()
        .headers()
        .forEach((name, value) -> headers.add(new Header(name, value.reveal())));
    return headers;
  }

  private static Body body(Sending sending, JobFacts job) {
    ToolCallRow call = sending.call();
    var body = new ByteArrayOutputStream(512 + call.arguments().length);
    write(body, "{\"job_id\":" + AsciiJson.quote(call.place().job().toString()));
    write(body, ",\"tool_call_id\":" + AsciiJson.quote(call.place().id().toString()));
    write(body, ",\"name\":" + AsciiJson.quote(call.name()) + ",\"arguments\":");
    body.writeBytes(call.arguments());
    write(body, ",\"effect_key\":" + AsciiJson.quote(call.effectKey().value()));
    write(body, ",\"tenant\":" + AsciiJson.quote(sending.lease().tenant().value()));
    write(body, ",\"metadata\":");
    body.writeBytes(job.metadata().bytes());
    write(body, "}");
    return Body.of(body.toByteArray());
  }

  private static void write(ByteArrayOutputStream body, String json) {
    body.writeBytes(json.getBytes(StandardCharsets.US_ASCII));
  }

  private ToolOutcome answered(ToolDefinition tool, int status, Headers headers, Body body) {
    if (status >= 200 && status < 300) {
      return new ToolOutcome.Answered(texts.result(body.toBytes()));
    }
    String words = tool.name() + " answered " + status;
    boolean isError = status >= 400 && status < 500 && !ASK_AGAIN.contains(status);
    if (isError) {
      return new ToolOutcome.Told(texts.withExcerpt(words, body));
    }
    var reply = new Reply(status, headers.fields(), null, clock.instant());
    return new ToolOutcome.Refused(
        status, texts.withExcerpt(words, body), Classify.of(reply).serverWait());
  }

  /** A refusal whose body broke off is a refusal still, and what is too large was answered. */
  private ToolOutcome lost(ToolDefinition tool, EgressResult.Lost lost) {
    EgressResult.Head head = lost.head();
    boolean isSuccess = head != null && head.status() >= 200 && head.status() < 300;
    if (head != null && !isSuccess) {
      return answered(tool, head.status(), head.headers(), head.received());
    }
    return isSuccess && lost.cause() == EgressResult.Loss.TOO_LARGE
        ? new ToolOutcome.Told(
            tool.name() + " did it, but its answer is larger than 8 MiB and was not kept")
        : new ToolOutcome.Lost(tool.name() + " may have done it: " + lost.cause().words());
  }
}
