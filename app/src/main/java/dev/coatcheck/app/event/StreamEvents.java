package dev.coatcheck.app.event;

import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.FindEvents.Followed;
import dev.coatcheck.db.intake.JobEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a job's events to one caller as they come, until its end. It reads a piece, writes it, and
 * reads the next one only then: a caller who reads slowly makes his own stream slow, and is cut by
 * the server's write timeout once he reads nothing at all.
 */
public final class StreamEvents {
  private static final Logger log = LoggerFactory.getLogger(StreamEvents.class);

  /** Keeps what lies between from taking a quiet connection for dead. */
  public static final Duration COMMENT_EVERY = Duration.ofSeconds(15);

  /** When a caller whose connection broke is asked to come back. */
  private static final byte[] OPENING = ascii("retry: 1000\n\n");

  private static final byte[] COMMENT = ascii(": still here\n\n");

  private final Streams streams;
  private final Duration commentEvery;

  public StreamEvents(Streams streams, Duration commentEvery) {
    this.streams = streams;
    this.commentEvery = commentEvery;
  }

  /** What came of it. */
  public enum Outcome {
    /** The response is written. */
    STREAMED,
    /** Too many streams are open, and nothing was written. */
    FULL
  }

  /** Streams what follows that number, until the job ends or the caller is gone. */
  public Outcome stream(
      Followed job, int after, HttpServletRequest request, HttpServletResponse response) {
    Optional<OpenStream> stream = streams.open(job, after);
    if (stream.isEmpty()) {
      return Outcome.FULL;
    }
    try {
      response.setStatus(HttpServletResponse.SC_OK);
      new Writing(stream.get(), request, response.getOutputStream()).run();
    } catch (IOException e) {
      log.debug("a stream ended early, its caller is gone or read nothing");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      streams.close(stream.get());
    }
    return Outcome.STREAMED;
  }

  private final class Writing {
    private final OpenStream stream;
    private final HttpServletRequest request;
    private final ServletOutputStream out;
    private long nextComment = System.nanoTime() + commentEvery.toNanos();

    private Writing(OpenStream stream, HttpServletRequest request, ServletOutputStream out) {
      this.stream = stream;
      this.request = request;
      this.out = out;
    }

    private void run() throws IOException, InterruptedException {
      out.write(OPENING);
      out.flush();
      while (!stream.isClosed()) {
        List<JobEvent> piece = streams.next(stream);
        if (write(piece) || (piece.isEmpty() && !rest())) {
          return;
        }
      }
    }

    /** Whether the end was among them. */
    private boolean write(List<JobEvent> piece) throws IOException {
      for (JobEvent event : piece) {
        out.write(EventText.of(event));
        stream.deliver(event.number());
        if (event.isEnd()) {
          return true;
        }
      }
      out.flush();
      return false;
    }

    /** Waits for more; false once the caller is no longer let in. */
    private boolean rest() throws IOException, InterruptedException {
      stream.await(Duration.ofNanos(nextComment - System.nanoTime()));
      if (System.nanoTime() < nextComment) {
        return true;
      }
      out.write(COMMENT);
      out.flush();
      nextComment += commentEvery.toNanos();
      return Caller.isStillAdmitted(request);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
