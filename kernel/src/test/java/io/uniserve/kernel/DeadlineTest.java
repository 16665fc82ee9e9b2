package io.uniserve.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of deadlines with a clock that is about to overflow, as {@link System#nanoTime} may be. */
class DeadlineTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void runsOut() {
    Deadline deadline = Deadline.after(clock, Duration.ofSeconds(2));
    assertThat(deadline.remaining(clock)).isEqualTo(Duration.ofSeconds(2));
    assertThat(deadline.expired(clock)).isFalse();
    clock.advance(Duration.ofSeconds(2));
    assertThat(deadline.expired(clock)).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(deadline.remaining(clock)).isZero();
    assertThat(deadline.remainingNanos(clock)).isEqualTo(-1_000_000_000);
  }

  @Test
  void nobodyWaitsForever() {
    Deadline deadline = Deadline.after(clock, Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(deadline.remaining(clock)).isEqualTo(Deadline.LONGEST);
  }

  @Test
  void theEarlierOfTwo() {
    Deadline sooner = Deadline.after(clock, Duration.ofMillis(0));
    Deadline later = Deadline.after(clock, Duration.ofHours(1));
    assertThat(sooner.nanos()).as("across the overflow").isGreaterThan(later.nanos());
    assertThat(sooner.earlier(later)).isEqualTo(sooner);
    assertThat(later.earlier(sooner)).isEqualTo(sooner);
  }

  @Test
  void aCheckNamesWhatIsLate() {
    Deadline deadline = Deadline.after(clock, Duration.ofMillis(5));
    deadline.check(clock, "load of movies");
    clock.advance(Duration.ofMillis(5));
    assertThatThrownBy(() -> deadline.check(clock, "load of movies"))
        .hasMessageContaining("load of movies")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  @Test
  void anAddressIsBounded() {
    assertThat(new Address("h".repeat(255))).hasToString("h".repeat(255));
    assertThatThrownBy(() -> new Address("h".repeat(256))).isInstanceOf(UniserveException.class);
    assertThatThrownBy(() -> new Address("")).isInstanceOf(UniserveException.class);
    assertThat(new Address("a")).isLessThan(new Address("b"));
  }

  @Test
  void aBrokenInvariantSaysWhichAndWhy() {
    Invariant.ONE_PRIMARY.require(true, () -> "never made");
    assertThatThrownBy(() -> Invariant.ONE_PRIMARY.require(false, () -> "1/0 has two at epoch 7"))
        .hasMessageContaining("ONE_PRIMARY")
        .hasMessageContaining("two at epoch 7")
        .isInstanceOfSatisfying(
            InvariantViolation.class,
            e -> assertThat(e.invariant()).isEqualTo(Invariant.ONE_PRIMARY));
  }
}
