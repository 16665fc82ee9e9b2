package io.uniserve.runtime.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatesTest {
  private static final long SECOND = 1_000_000_000L;

  private final Rates rates = new Rates(3);

  @Test
  void theFirstSampleSaysNothing() {
    assertThat(rates.sample(5 * SECOND, 100, 7)).containsExactly(0, 0);
  }

  @Test
  void aRateIsThatOfTheWindow() {
    rates.sample(0, 0);
    assertThat(rates.sample(SECOND, 10)).containsExactly(10);
    assertThat(rates.sample(2 * SECOND, 10)).containsExactly(5);
    assertThat(rates.sample(3 * SECOND, 10)).containsExactly(10 / 3.0);
    assertThat(rates.sample(4 * SECOND, 10)).containsExactly(0);
  }

  @Test
  void countersThatBeginAnewGiveNoNegativeRate() {
    rates.sample(0, 100, 5);
    rates.sample(SECOND, 200, 6);
    assertThat(rates.sample(2 * SECOND, 3, 7)).containsExactly(0, 0);
    assertThat(rates.sample(3 * SECOND, 5, 7)).containsExactly(2, 0);
  }
}
