package io.uniserve.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpectedWaitTest {
  private final ExpectedWait expected = new ExpectedWait();

  @Test
  void nothingIsExpectedSoonBeforeMuchIsKnown() {
    assertThat(expected.nanos()).isEqualTo(500_000);
    expected.took(0);
    assertThat(expected.nanos()).isGreaterThan(400_000);
  }

  @Test
  void isTheMeanOfTheLastFew() {
    for (int i = 0; i < 100; i++) {
      expected.took(20_000);
    }
    assertThat(expected.nanos()).isBetween(19_900L, 20_100L);
  }

  @Test
  void oneLongWaitIsSoonForgotten() {
    for (int i = 0; i < 100; i++) {
      expected.took(20_000);
    }
    expected.took(3_600_000_000_000L);
    assertThat(expected.nanos()).isBetween(75_000L, 85_000L);
    for (int i = 0; i < 5; i++) {
      expected.took(20_000);
    }
    assertThat(expected.nanos()).isLessThan(60_000);
  }
}
