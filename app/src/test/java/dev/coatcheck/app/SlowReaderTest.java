package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.event.Streams;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
  private static final int SMALL = 4_096;
  private static final int EVENTS = 300;

  @Test
  void a_caller_who_reads_nothing_is_cut() throws Exception {
    try (RunningApp app = RunningApp.start("server.tomcat.connection-timeout=1s");
        var socket = new Socket()) {
      String id = app.as("acme").submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
      fill(app, id);
      socket.setReceiveBufferSize(SMALL);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), app.port()));
      socket
          .getOutputStream()
          .write(
              ("GET /v1/jobs/"
                      + id
                      + "/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ck_acme\r\n\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      Streams streams = app.context().getBean(Streams.class);
      Awaitility.await().until(() -> streams.count() == 1);

      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> streams.count() == 0);
      byte[] got = socket.getInputStream().readAllBytes();
      assertThat(new String(got, StandardCharsets.ISO_8859_1))
          .startsWith("HTTP/1.1 200")
          .doesNotContain("id: " + (EVENTS + 1) + "\n");
    }
  }

  /** More than all buffers between the two hold. */
  private static void fill(RunningApp app, String id) {
    app.sql()
        .sql(
            """
            insert into event (job_id, number, tenant_id, type, data)
            select id, number, tenant_id, 'output.delta', '{"text":"' || repeat('x', 60000) || '"}'
            from job, generate_series(2, :events + 1) as number where id = :id
            """)
        .param("events", EVENTS)
        .param("id", UUID.fromString(id))
        .update();
    new Jobs(app.sql()).set(id, "events = " + (EVENTS + 1));
  }
}
