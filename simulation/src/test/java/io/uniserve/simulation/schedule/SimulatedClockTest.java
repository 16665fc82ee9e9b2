package io.uniserve.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Clock;
import io.uniserve.simulation.Seed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedClockTest {
  private static final long SECOND = 1_000_000_000L;

  private final Scheduler scheduler = new Scheduler(new Seed(1).random("schedule"), 100_000);
  private final Life life = scheduler.begin("process");
  private final ClockError error = new ClockError(777);
  private final SimulatedClock clock = new SimulatedClock(scheduler, life, error);
  private final List<String> ran = new ArrayList<>();

  private void runTo(long seconds) {
    scheduler.runTo(seconds * SECOND, () -> {});
  }

  @Test
  void timersRunAtTheirMomentAndInItsOrder() {
    clock.schedule(Duration.ofSeconds(3), () -> ran.add("three"));
    clock.schedule(Duration.ofSeconds(1), () -> ran.add("one"));
    runTo(2);
    assertThat(ran).containsExactly("one");
    runTo(4);
    assertThat(ran).containsExactly("one", "three");
  }

  @Test
  void aCancelledTimerDoesNotRunEvenIfItIsDue() {
    Clock.Timer[] second = new Clock.Timer[1];
    clock.schedule(Duration.ofSeconds(1), () -> second[0].cancel());
    second[0] = clock.schedule(Duration.ofSeconds(1), () -> ran.add("second"));
    clock.schedule(Duration.ofSeconds(2), () -> ran.add("third")).cancel();
    runTo(5);
    assertThat(ran).isEmpty();
  }

  @Test
  void aTimerThatThrowsDoesNotStopTheOthers() {
    clock.schedule(
        Duration.ofSeconds(1),
        () -> {
          throw io.uniserve.api.error.UniserveException.invalid("on purpose");
        });
    clock.schedule(Duration.ofSeconds(1), () -> ran.add("next"));
    runTo(2);
    assertThat(ran).containsExactly("next");
    assertThat(scheduler.trace().latest()).anyMatch(line -> line.contains("on purpose"));
  }

  @Test
  void skewMovesTheTimeOfDayAlone() {
    runTo(1);
    Instant before = clock.now();
    long nanos = clock.nanos();
    error.skew(Duration.ofHours(-2));
    assertThat(clock.now()).isEqualTo(before.minus(Duration.ofHours(2)));
    assertThat(clock.nanos()).isEqualTo(nanos);
  }

  @Test
  void aFastClockGoesOnWithoutAJumpAndItsTimersComeEarlier() {
    runTo(10);
    long before = clock.nanos();
    error.rate(scheduler.nanos(), 2);
    assertThat(clock.nanos()).isEqualTo(before);
    clock.schedule(Duration.ofSeconds(10), () -> ran.add("early"));
    runTo(16);
    assertThat(ran).containsExactly("early");
    assertThat(clock.nanos()).isEqualTo(before + 12 * SECOND);
  }

  @Test
  void aSleeperSleepsItsTimeThoughItsClockSlowsDown() {
    life.start(
        "sleeper",
        () -> {
          try {
            clock.sleep(Duration.ofSeconds(10));
            ran.add("awake at " + scheduler.nanos() / SECOND);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    runTo(5);
    error.rate(scheduler.nanos(), 0.5);
    runTo(30);
    assertThat(ran).containsExactly("awake at 15");
  }
}
