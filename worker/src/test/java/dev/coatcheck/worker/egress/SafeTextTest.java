package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SafeTextTest {
  private final SafeText safe =
      new SafeText(
          List.of(
              Secret.of("sk-long"), Secret.of("sk-long-and-longer"), Secret.of("x"), Secret.NONE));

  @Test
  void every_secret_is_masked_the_longer_one_first() {
    assertThat(safe.of("a sk-long-and-longer b sk-long c", 100)).isEqualTo("a *** b *** c");
  }

  @Test
  void a_secret_too_short_to_be_one_masks_no_words() {
    assertThat(safe.of("axb", 100)).isEqualTo("axb");
  }

  @Test
  void a_secret_across_the_cut_leaves_no_half() {
    assertThat(safe.of("a".repeat(16_380) + "sk-long-and-longer", 20_000)).doesNotContain("sk-");
    assertThat(safe.of("12345sk-long-and-longer", 10)).isEqualTo("12345***");
  }

  @Test
  void controls_half_pairs_and_turned_directions_are_replaced_and_nothing_else() {
    assertThat(safe.of("a\u0000b\u001b[31mc\ud800d\u202ee\nf", 100))
        .isEqualTo("a\ufffdb\ufffd[31mc\ufffdd\ufffde f");
    assertThat(safe.of("ü 😀 👩\u200d💻 می\u200cخواهم", 100))
        .isEqualTo("ü 😀 👩\u200d💻 می\u200cخواهم");
  }

  @Test
  void a_pair_is_not_cut_in_two() {
    assertThat(safe.of("ab😀", 3)).isEqualTo("ab");
  }
}
