package dev.coatcheck.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FigureTest {
  @Test
  void a_percentile_is_the_nearest_rank() {
    var samples = new Samples();
    IntStream.rangeClosed(1, 300).forEach(value -> samples.add(301 - value));
    assertThat(samples.percentile(0)).isEqualTo(1);
    assertThat(samples.median()).isEqualTo(150);
    assertThat(samples.percentile(99)).isEqualTo(297);
    assertThat(samples.percentile(100)).isEqualTo(300);
  }

  @Test
  void no_samples_have_no_median() {
    assertThatThrownBy(() -> new Samples().median()).hasMessage("nothing was measured");
  }

  @Test
  void a_line_shows_median_and_spread_and_holds_the_median_against_the_bar() {
    var figure = Figure.of("pickup, p50", "ms").atMost(15);
    assertThat(line(figure, 7.25, 5, 16))
        .isEqualTo("pickup, p50 7.25 ms (5 ... 16) bar <= 15: held");
    assertThat(line(figure, 17.26, 5, 1600))
        .isEqualTo("pickup, p50 17.3 ms (5 ... 1,600) bar <= 15: MISSED");
    assertThat(line(Figure.of("intake", "/s"), 1234.6)).isEqualTo("intake 1,235 /s");
  }

  private static String line(Figure figure, double... runs) {
    var samples = new Samples();
    for (var run : runs) {
      samples.add(run);
    }
    return figure.line(samples).strip().replaceAll(" +", " ");
  }

  @Test
  void without_a_name_all_scenarios_run() {
    assertThat(Options.parse("--runs=2").scenarios().keySet())
        .containsExactlyElementsOf(Scenarios.all().keySet());
    assertThat(Options.parse("parked").scenarios()).containsOnlyKeys("parked");
    assertThatThrownBy(() -> Options.parse("pikcup")).hasMessageContaining("there are: pickup");
  }
}
