package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class ParkingSignalTest {
  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();

  private Deadline in(long millis) {
    return Deadline.after(clock, Duration.ofMillis(millis));
  }

  @Test
  void wakesAllWhoWait() throws Exception {
    Signal signal = threads.signal();
    LinkedBlockingQueue<Boolean> woken = new LinkedBlockingQueue<>();
    for (int i = 0; i < 10; i++) {
      threads.start("waiter", () -> woken.add(awaitFor(signal, 10_000)));
    }
    assertThat(signal.isSet()).isFalse();
    signal.set();
    signal.set();
    for (int i = 0; i < 10; i++) {
      assertThat(woken.take()).isTrue();
    }
    assertThat(signal.isSet()).isTrue();
    assertThat(signal.await(in(-1))).isTrue();
  }

  @Test
  void givesUpAtTheDeadline() throws Exception {
    long before = clock.nanos();
    assertThat(threads.signal().await(in(20))).isFalse();
    assertThat(clock.nanos() - before).isGreaterThanOrEqualTo(20_000_000);
    assertThat(threads.signal().await(in(-1))).isFalse();
  }

  @Test
  void anInterruptedWaiterIsCancelledAndStaysInterrupted() throws Exception {
    Promise<String> promise = new Promise<>(threads);
    LinkedBlockingQueue<Object> outcome = new LinkedBlockingQueue<>();
    Thread waiter =
        threads.start(
            "waiter",
            () -> {
              try {
                outcome.add(promise.await(in(10_000), "a thing"));
              } catch (UniserveException e) {
                outcome.add(e.code() + " " + Thread.currentThread().isInterrupted());
              }
            });
    waiter.interrupt();
    assertThat(outcome.take()).isEqualTo(ErrorCode.CANCELLED + " true");
  }

  @Test
  void aPromiseKeepsItsFirstOutcome() {
    Promise<String> promise = new Promise<>(threads);
    assertThat(promise.complete("first")).isTrue();
    assertThat(promise.complete("second")).isFalse();
    assertThat(promise.fail(UniserveException.invalid("late"))).isFalse();
    assertThat(promise.await(in(10), "a thing")).isEqualTo("first");
    assertThatThrownBy(() -> new Promise<String>(threads).await(in(1), "a thing"))
        .hasMessageContaining("a thing")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  private Boolean awaitFor(Signal signal, long millis) {
    try {
      return signal.await(in(millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
