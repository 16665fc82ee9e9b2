package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class SystemClockTest {
  private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final SystemClock clock = new SystemClock((thread, failure) -> failures.add(failure));
  private final LinkedBlockingQueue<String> ran = new LinkedBlockingQueue<>();

  @Test
  void timersRunInTheirOrderOnOneDaemon() throws Exception {
    long before = clock.nanos();
    clock.schedule(Duration.ofMillis(400), () -> ran.add("later"));
    clock.schedule(
        Duration.ofMillis(10),
        () -> ran.add("sooner, daemon " + Thread.currentThread().isDaemon()));
    clock.schedule(Duration.ofMillis(-5), () -> ran.add("at once"));
    assertThat(ran.take()).isEqualTo("at once");
    assertThat(ran.take()).isEqualTo("sooner, daemon true");
    assertThat(ran.take()).isEqualTo("later");
    assertThat(clock.nanos() - before).isGreaterThanOrEqualTo(400_000_000);
  }

  @Test
  void aCancelledTimerDoesNotRun() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    clock.schedule(Duration.ZERO, () -> awaitQuietly(cancelled));
    Clock.Timer timer = clock.schedule(Duration.ofMillis(1), () -> ran.add("cancelled"));
    clock.schedule(Duration.ofMillis(2), () -> ran.add("kept"));
    timer.cancel();
    cancelled.countDown();
    assertThat(ran.take()).isEqualTo("kept");
  }

  /** Holds the timers' thread, so that no other timer runs meanwhile. */
  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aTimerGivenAfterTheEndDoesNotRun() {
    clock.close();
    clock.schedule(Duration.ZERO, () -> ran.add("after the end")).cancel();
    assertThat(ran).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void aTimerThatThrowsHarmsNoOther() throws Exception {
    clock.schedule(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException("timer");
        });
    clock.schedule(Duration.ofMillis(1), () -> ran.add("next"));
    assertThat(failures.take()).hasMessage("timer");
    assertThat(ran.take()).isEqualTo("next");
  }

  @Test
  void sleepsAtLeastAsLongAsAsked() throws Exception {
    long before = clock.nanos();
    clock.sleep(Duration.ofMillis(10));
    assertThat(clock.nanos() - before).isGreaterThanOrEqualTo(10_000_000);
  }
}
