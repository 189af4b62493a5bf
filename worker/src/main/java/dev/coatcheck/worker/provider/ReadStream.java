package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.BodySink;
import dev.coatcheck.worker.egress.Headers;
import dev.coatcheck.worker.provider.Assembly.Progress;
import dev.coatcheck.worker.provider.ReadEvents.Size;
import dev.coatcheck.worker.provider.Reading.Failed;
import dev.coatcheck.worker.provider.Reading.Unfinished;
import dev.coatcheck.worker.provider.Reading.Unusable;
import dev.coatcheck.worker.retry.Classify;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a provider's stream as it comes. What counts first counts: after the answer's end nothing
 * can spoil it, after an error nothing can mend it.
 */
final class ReadStream implements BodySink {
  private static final String DONE = "[DONE]";
  private static final String PING = "ping";

  private final Dialect dialect;
  private final Assembly assembly;
  private final String provider;
  private final ReadEvents events = new ReadEvents(this::event);
  private Progress progress = Progress.OPEN;
  private @Nullable Reading fault;
  private @Nullable Received head;
  private long bytes;
  private boolean isOver;

  ReadStream(String provider, Dialect dialect, TextListener listener) {
    this.provider = provider;
    this.dialect = dialect;
    this.assembly = dialect.assembly(listener);
  }

  @Override
  public boolean opens(int status, Headers headers) {
    String type = headers.first("content-type").orElse("").toLowerCase(Locale.ROOT);
    boolean opens = status >= 200 && status <= 299 && type.startsWith("text/event-stream");
    if (opens) {
      head = new Received(provider, status, headers, Body.EMPTY);
    }
    return opens;
  }

  @Override
  public Wants take(byte[] more, int length) {
    bytes += length;
    if (events.take(more, length) == Size.TOO_LARGE) {
      blame(new Unusable("An event of the stream is larger than 1 MiB"));
      progress = Progress.DONE;
    }
    return wants();
  }

  private Wants wants() {
    if (fault != null) {
      return Wants.NOTHING;
    }
    return switch (progress) {
      case OPEN -> Wants.MORE;
      case ENDED -> Wants.REST;
      case DONE -> Wants.NOTHING;
    };
  }

  private void event(String name, Body data) {
    if (fault != null || progress == Progress.DONE || name.equals(PING)) {
      return;
    }
    if (data.length() < 16 && data.text().strip().equals(DONE)) {
      progress = assembly.done();
      return;
    }
    Optional<Json> json = Json.parse(data);
    if (json.isEmpty()) {
      blame(new Unusable("An event of the stream is not JSON"));
    } else if (name.equals("error") || Classify.isError(json.get().tree())) {
      blame(new Failed(json.get().tree()));
    } else {
      progress = assembly.take(json.get());
    }
  }

  /** Half an event at the end of a stream is nobody's fault but the end's. */
  private void blame(Reading why) {
    if (progress == Progress.OPEN && !(isOver && why instanceof Unusable)) {
      fault = why;
    }
  }

  /** The status and headers of a stream; empty if the body was none. */
  Optional<Received> head() {
    return Optional.ofNullable(head);
  }

  long bytes() {
    return bytes;
  }

  /** What came, once nothing more does. */
  Reading end() {
    isOver = true;
    events.end();
    if (fault != null) {
      return Objects.requireNonNull(fault);
    }
    if (progress == Progress.OPEN) {
      return new Unfinished();
    }
    return Json.parse(assembly.body())
        .map(dialect::read)
        .orElseGet(() -> new Unusable("The stream makes no JSON"));
  }
}
