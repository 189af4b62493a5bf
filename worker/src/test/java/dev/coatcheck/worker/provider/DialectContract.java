package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.Headers;
import dev.coatcheck.worker.egress.Secret;
import dev.coatcheck.worker.provider.Reading.Failed;
import dev.coatcheck.worker.provider.Reading.Unfinished;
import dev.coatcheck.worker.provider.Reading.Unusable;
import dev.coatcheck.worker.provider.Reading.Usable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every dialect owes, of what its folder of fixtures holds: {@code x.json} and {@code x.sse}
 * are one answer, whole and streamed. How the network may fail is {@link TransportContract}.
 */
abstract class DialectContract {
  private static final Headers EVENTS =
      new Headers(Map.of("content-type", List.of("text/event-stream; charset=utf-8")));

  final Fixture fixture;
  final Dialect dialect;

  /**
   * @param name of the dialect and of its folder
   */
  DialectContract(String name) {
    this.fixture = new Fixture(name);
    this.dialect =
        Dialect.named(name)
            .orElseThrow()
            .with(
                new ProviderSettings(
                    name, "http://127.0.0.1:1", Secret.of(""), Map.of(), Map.of(), 0, null));
  }

  /** What ends a streamed answer: the last words of the line that does. */
  abstract String endMark(String streamFile);

  Answer whole(String file) {
    return ((Usable) dialect.read(fixture.json(file))).answer();
  }

  Reading streamed(TextListener listener, byte[]... pieces) {
    var stream = new ReadStream("p", dialect, listener);
    assertThat(stream.opens(200, EVENTS)).isTrue();
    for (byte[] piece : pieces) {
      stream.take(piece, piece.length);
    }
    return stream.end();
  }

  Reading streamed(byte[]... pieces) {
    return streamed(TextListener.nobody(), pieces);
  }

  static void assertSame(@Nullable Answer streamed, Answer whole) {
    Answer answer = Objects.requireNonNull(streamed);
    assertThat(tree(answer.message().toBytes())).isEqualTo(tree(whole.message().toBytes()));
    assertThat(text(answer)).isEqualTo(text(whole));
    assertThat(answer.finishReason()).isEqualTo(whole.finishReason());
    assertThat(calls(answer)).isEqualTo(calls(whole));
    assertThat(answer.usage() == null).isEqualTo(whole.usage() == null);
    if (answer.usage() != null && whole.usage() != null) {
      assertThat(answer.usage())
          .usingRecursiveComparison()
          .ignoringFields("json")
          .isEqualTo(whole.usage());
    }
  }

  private static List<Object> calls(Answer answer) {
    return answer.toolCalls().stream()
        .<Object>map(
            call -> List.of(call.id(), call.name(), tree(call.arguments().getBytes(UTF_8))))
        .toList();
  }

  private static Object tree(byte[] json) {
    return Json.MAPPER.readTree(json);
  }

  /** The characters of the text, half surrogates and all. */
  static @Nullable String text(Answer answer) {
    return answer.outputText() == null
        ? null
        : Json.MAPPER.readTree(answer.outputText().toBytes()).stringValue();
  }

  static Answer answer(Reading reading) {
    return ((Usable) reading).answer();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "tools", "short", "refused", "odd"})
  void a_streamed_answer_is_the_one_that_had_come_whole(String name) {
    assertSame(answer(streamed(fixture.bytes(name + ".sse"))), whole(name + ".json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "tools", "short", "refused", "odd"})
  void where_a_stream_comes_apart_makes_no_difference(String name) {
    byte[] stream = fixture.bytes(name + ".sse");
    Answer whole = whole(name + ".json");
    for (int cut = 0; cut <= stream.length; cut++) {
      byte[] head = Arrays.copyOfRange(stream, 0, cut);
      byte[] tail = Arrays.copyOfRange(stream, cut, stream.length);
      assertSame(answer(streamed(head, tail)), whole);
    }
    byte[][] bytes = new byte[stream.length][];
    for (int i = 0; i < stream.length; i++) {
      bytes[i] = new byte[] {stream[i]};
    }
    assertSame(answer(streamed(bytes)), whole);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "tools", "short", "odd"})
  void a_stream_that_ends_anywhere_before_its_end_mark_is_no_answer(String name) {
    byte[] stream = fixture.bytes(name + ".sse");
    Answer whole = whole(name + ".json");
    int end = end(name + ".sse");
    for (int cut = 0; cut <= stream.length; cut++) {
      Reading reading = streamed(Arrays.copyOfRange(stream, 0, cut));
      if (cut < end) {
        assertThat(reading).as("cut at %d of %d", cut, end).isInstanceOf(Unfinished.class);
      } else {
        Answer answer = answer(reading);
        assertThat(tree(answer.message().toBytes())).isNotNull();
        assertThat(text(answer)).isEqualTo(text(whole));
        assertThat(answer.finishReason()).isEqualTo(whole.finishReason());
      }
    }
  }

  /** Where the line ends that ends the answer: its data is whole then. */
  private int end(String file) {
    String stream = fixture.text(file);
    int mark = stream.lastIndexOf(endMark(file));
    assertThat(mark).as("the end mark of %s", file).isNotNegative();
    String before = stream.substring(0, stream.indexOf('\n', mark)).stripTrailing();
    return before.getBytes(UTF_8).length;
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "short", "odd"})
  void the_listener_hears_exactly_the_text(String name) {
    var heard = new StringBuilder();

    Answer answer = answer(streamed(heard::append, fixture.bytes(name + ".sse")));

    assertThat(heard.toString()).isEqualTo(text(answer));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void lines_end_in_any_of_three_ways(String lineEnd) {
    String stream = fixture.text("text.sse").replace("\n", lineEnd);

    assertSame(answer(streamed(stream.getBytes(UTF_8))), whole("text.json"));
  }

  @Test
  void comments_and_pings_between_any_two_events_change_nothing() {
    String stream =
        fixture
            .text("tools.sse")
            .replace("\n\n", "\n\n: PROCESSING {\n\n:\nevent: ping\ndata:\n\n");

    assertSame(answer(streamed(stream.getBytes(UTF_8))), whole("tools.json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"overloaded.sse", "limited.sse"})
  void an_error_amid_a_stream_is_an_error_whatever_came_before(String file) {
    assertThat(streamed(fixture.bytes(file))).isInstanceOf(Failed.class);
  }

  @Test
  void an_error_after_the_end_spoils_nothing() {
    String stream = fixture.text("text.sse").replace("data: [DONE]\n\n", "");

    String broken = fixture.text("overloaded.sse").stripTrailing();
    String error = broken.substring(broken.lastIndexOf("\n\n") + 2) + "\n\n";

    assertSame(answer(streamed(stream.getBytes(UTF_8), error.getBytes(UTF_8))), whole("text.json"));
  }

  @Test
  void what_a_broken_stream_left_is_gone_with_it() {
    byte[] stream = fixture.bytes("tools.sse");
    Answer whole = whole("tools.json");
    var random = new Random(7);
    for (int i = 0; i < 50; i++) {
      assertThat(streamed(Arrays.copyOfRange(stream, 0, random.nextInt(end("tools.sse")))))
          .isInstanceOf(Unfinished.class);
      assertSame(answer(streamed(stream)), whole);
    }
  }

  @Test
  void an_event_without_end_is_refused_before_it_fills_the_memory() {
    byte[] start = "data: {\"a\":\"".getBytes(UTF_8);
    byte[] piece = "x".repeat(64 * 1024).getBytes(UTF_8);
    byte[][] pieces = new byte[20][];
    Arrays.fill(pieces, piece);
    pieces[0] = start;

    assertThat(streamed(pieces))
        .isInstanceOfSatisfying(
            Unusable.class, reading -> assertThat(reading.words()).contains("1 MiB"));
  }

  @Test
  void an_event_that_is_no_json_makes_no_answer() {
    assertThat(streamed("data: {nonsense}\n\n".getBytes(UTF_8), fixture.bytes("text.sse")))
        .isInstanceOf(Unusable.class);
  }

  @Test
  void a_stream_of_nothing_is_unfinished() {
    assertThat(streamed()).isInstanceOf(Unfinished.class);
    assertThat(streamed(": hello\n\n".getBytes(UTF_8))).isInstanceOf(Unfinished.class);
  }

  @Test
  void random_bytes_never_throw_and_are_never_an_answer() {
    for (int seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      byte[] junk = new byte[random.nextInt(400)];
      random.nextBytes(junk);
      assertThat(streamed("data:".getBytes(UTF_8), junk)).isNotInstanceOf(Usable.class);
    }
  }
}
