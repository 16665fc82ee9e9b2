package io.uniserve.runtime.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AbsenceTest {
  private static final Duration MOST = Duration.ofNanos(100);

  private final Absence absence = new Absence();

  private boolean failed(ErrorCode code, long nowNanos) {
    return absence.failed(new UniserveException(code, "planned"), nowNanos);
  }

  @Test
  void copiesThatAreNotReachedOrNotReadyAreAwaitedForATimeNotForTries() {
    for (int now = 0; now <= 100; now++) {
      assertThat(failed(now % 2 == 0 ? ErrorCode.UNAVAILABLE : ErrorCode.STALE_ROUTING, now))
          .isTrue();
      assertThat(absence.longerThan(MOST, now)).isFalse();
    }
    assertThat(absence.longerThan(MOST, 101)).isTrue();
  }

  @Test
  void anAnswerOfACopyBeginsTheTimeAnew() {
    failed(ErrorCode.UNAVAILABLE, 0);
    assertThat(failed(ErrorCode.INTERNAL, 50)).isFalse();
    failed(ErrorCode.UNAVAILABLE, 90);
    assertThat(absence.longerThan(MOST, 150)).isFalse();
    assertThat(absence.longerThan(MOST, 191)).isTrue();
  }

  @Test
  void eachRoundDoublesThePauseUpToALimit() {
    List<Long> pauses =
        IntStream.range(0, 8)
            .mapToObj(
                round -> {
                  absence.triedAll();
                  return absence.pauseNanos(Duration.ofNanos(10));
                })
            .toList();
    assertThat(pauses).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 320L, 320L);
  }
}
