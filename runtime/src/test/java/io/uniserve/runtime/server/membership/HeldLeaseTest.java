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
  void isNoLongerIfTheTimeOfDayIsSetBack() {
    assertThat(over(999_999_999, Duration.ofHours(-1))).isFalse();
    assertThat(over(1_000_000_000, Duration.ofHours(-1))).isTrue();
  }
}
