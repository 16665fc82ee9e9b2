package io.uniserve.runtime.server.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeldLeaseTest {
  private static final Instant DAY = Instant.parse("2026-03-01T12:00:00Z");
  private static final long NANOS = Long.MAX_VALUE - 10;
  private static final HeldLease SECOND = HeldLease.from(NANOS, DAY, Duration.ofSeconds(1));

  private static boolean over(long nanosLater, Duration dayLater) {
    return SECOND.isOverAt(NANOS + nanosLater, DAY.plus(dayLater));
  }

  @Test
  void lastsAsLongAsBothClocksSay() {
    assertThat(over(999_999_999, Duration.ofMillis(999))).isFalse();
    assertThat(over(1_000_000_000, Duration.ofMillis(999))).isTrue();
    assertThat(over(1, Duration.ofSeconds(1))).as("the machine was suspended").isTrue();
  }

  @Test
  void endsWhenTheTimeOfDayIsSetBack() {
    assertThat(over(1, Duration.ofHours(-1))).isTrue();
    assertThat(over(1, Duration.ofSeconds(-1))).isTrue();
    assertThat(over(500_000_000, Duration.ofMillis(390))).isTrue();
  }

  @Test
  void lastsWhileTheClocksDriftApart() {
    assertThat(over(500_000_000, Duration.ofMillis(410))).isFalse();
    assertThat(over(500_000_000, Duration.ofMillis(900))).isFalse();
  }
}
