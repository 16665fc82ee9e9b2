package io.uniserve.runtime.client.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of a process counts from any moment, so its times may be negative, or 0. */
class ScanPartTest {
  @ParameterizedTest
  @ValueSource(longs = {-5_000_000_000L, -1, 0, 1, 5_000_000_000L})
  void aPartIsReadAtAnyTimeOfTheClock(long now) {
    ScanPart part = new ScanPart(0, 0, List.of(), ScanPart.Place.BEGIN);
    assertThat(part.idle(now)).isTrue();
    assertThat(part.hasFailedFor(Duration.ZERO, now)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-5_000_000_000L, -1, 0, 1, 5_000_000_000L})
  void aPartThatFailsRestsAndIsGivenUpAfterAWhile(long now) {
    ScanPart part = new ScanPart(0, 0, List.of(), ScanPart.Place.BEGIN);
    part.fails(now);
    part.retryAtNanos = OptionalLong.of(now + 10);
    assertThat(part.idle(now)).isFalse();
    assertThat(part.idle(now + 10)).isTrue();
    part.fails(now + 20);
    assertThat(part.hasFailedFor(Duration.ofNanos(30), now + 30)).isFalse();
    assertThat(part.hasFailedFor(Duration.ofNanos(30), now + 31)).isTrue();
  }
}
