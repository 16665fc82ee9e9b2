package io.uniserve.runtime.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperatorTimesTest {
  private static final long MILLI = 1_000_000;
  private final OperatorTimes times = new OperatorTimes();

  @Test
  void tellsTheSlowestHundredth() {
    for (int i = 1; i <= 200; i++) {
      times.took(i, i * MILLI);
    }
    assertThat(times.slowestHundredthMillis(0)).hasValue(199);
  }

  @Test
  void whatEndedBeforeDoesNotCount() {
    times.took(10, 500 * MILLI);
    times.took(20, 5 * MILLI);
    assertThat(times.slowestHundredthMillis(11)).hasValue(5);
    assertThat(times.slowestHundredthMillis(21)).isEmpty();
  }

  @Test
  void ofManyTheLatestCount() {
    for (int i = 0; i < OperatorTimes.OPERATORS_MAX; i++) {
      times.took(i, 900 * MILLI);
    }
    for (int i = 0; i < OperatorTimes.OPERATORS_MAX; i++) {
      times.took(i, 7 * MILLI);
    }
    assertThat(times.slowestHundredthMillis(0)).hasValue(7);
  }
}
