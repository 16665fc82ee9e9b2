package io.uniserve.runtime.client.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HedgingTest {
  private static final long MILLI = 1_000_000;

  @Test
  void thePercentileIsWithinAnEighthOfTheTrueOne() {
    Latencies latencies = new Latencies(0.95);
    for (int i = 1; i <= 1024; i++) {
      latencies.record(i * MILLI);
    }
    assertThat(latencies.percentileNanos()).isBetween(960 * MILLI, 1120 * MILLI);
  }

  @Test
  void whatWasLongAgoFades() {
    Latencies latencies = new Latencies(0.95);
    for (int i = 0; i < 4000; i++) {
      latencies.record(1000 * MILLI);
    }
    for (int i = 0; i < 40_000; i++) {
      latencies.record(MILLI);
    }
    assertThat(latencies.percentileNanos()).isLessThan(2 * MILLI);
  }

  @Test
  void nothingIsLateBeforeMuchIsKnown() {
    Hedging hedging = new Hedging(HedgeSettings.DEFAULT);
    assertThat(hedging.delayNanos(hedging.of(1))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void secondAttemptsAreAShareOfTheFirst() {
    Hedging hedging = new Hedging(new HedgeSettings(0.95, Duration.ofMillis(1), 0.05));
    int made = 0;
    for (int i = 0; i < 10_000; i++) {
      hedging.began(1);
      made += hedging.take() ? 1 : 0;
    }
    assertThat(made).isBetween(490, 510);
  }

  @Test
  void theShareThatIsSavedUpIsBounded() {
    Hedging hedging = new Hedging(new HedgeSettings(0.95, Duration.ofMillis(1), 0.05));
    hedging.began(1_000_000);
    for (int i = 0; i < 100_000; i++) {
      hedging.began(1);
    }
    int made = 0;
    while (hedging.take()) {
      made++;
    }
    assertThat(made).isBetween(20, 40);
  }

  @Test
  void aShareOfNoneMeansNever() {
    Hedging hedging = new Hedging(new HedgeSettings(0.95, Duration.ofMillis(1), 0));
    Latencies latencies = hedging.of(1);
    for (int i = 0; i < 1000; i++) {
      latencies.record(MILLI);
    }
    assertThat(hedging.delayNanos(latencies)).isEqualTo(Long.MAX_VALUE);
  }
}
