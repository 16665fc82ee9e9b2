package io.uniserve.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Latencies;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {

  @Test
  void goesRoundAllCallsAndKeepsALatencyForEach() {
    ConcurrentLinkedQueue<Integer> made = new ConcurrentLinkedQueue<>();
    IntConsumer caller =
        call -> {
          made.add(call);
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        };

    // The time is long, for a machine that is busy with other work.
    Latencies latencies = ClosedLoop.run(3, List.of(caller), Duration.ofSeconds(2));

    assertThat(latencies.count()).isEqualTo(made.size()).isGreaterThan(6);
    assertThat(made.stream().limit(6)).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void callersBeginAtDifferentCalls() {
    ConcurrentLinkedQueue<Integer> first = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Integer> second = new ConcurrentLinkedQueue<>();

    ClosedLoop.run(10, List.<IntConsumer>of(first::add, second::add), Duration.ofMillis(20));

    assertThat(first.peek()).isZero();
    assertThat(second.peek()).isEqualTo(5);
  }

  @Test
  void everyCallerCallsAtLeastOnceHoweverShortTheTime() {
    IntConsumer caller = call -> {};

    assertThat(ClosedLoop.run(1, Collections.nCopies(3, caller), Duration.ZERO).count())
        .isEqualTo(3);
  }

  @Test
  void aPauseIsNoPartOfALatency() {
    IntConsumer caller = call -> {};
    Duration pause = Duration.ofMillis(5);
    long began = System.nanoTime();

    Latencies latencies = ClosedLoop.run(1, List.of(caller), pause, Duration.ofMillis(50));

    long paused = latencies.count() * pause.toNanos();
    long called = LongStream.of(Latencies.sorted(List.of(latencies))).sum();
    assertThat(paused + called).isLessThanOrEqualTo(System.nanoTime() - began);
  }

  @Test
  void aFailedCallFailsTheRun() {
    IntConsumer failing =
        call -> {
          throw new BenchException("no such field");
        };

    assertThatThrownBy(
            () -> ClosedLoop.run(1, Collections.nCopies(2, failing), Duration.ofSeconds(1)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("no such field");
  }
}
