package io.uniserve.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Workers;
import io.uniserve.simulation.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedWorkersTest {
  private final Scheduler scheduler = new Scheduler(new Seed(1).random("schedule"), 100_000);
  private final Life life = scheduler.begin("process");
  private final SimulatedClock clock = new SimulatedClock(scheduler, life, new ClockError(0));
  private final Workers workers =
      new SimulatedThreads(scheduler, life, clock, new Seed(1).random("threads"))
          .workers("engine", 2);
  private final List<Integer> done = new ArrayList<>();
  private int atOnce;
  private int atOnceMax;

  private void task(int number) {
    atOnce++;
    atOnceMax = Math.max(atOnce, atOnceMax);
    clock.pass(Duration.ofMillis(1));
    atOnce--;
    done.add(number);
  }

  private void run() {
    scheduler.runTo(scheduler.nanos() + Duration.ofSeconds(1).toNanos(), () -> {});
  }

  @Test
  void atMostAsManyTasksRunAtOnceAsThereAreThreads() {
    for (int i = 0; i < 10; i++) {
      int number = i;
      workers.submit(() -> task(number));
    }
    run();
    assertThat(done).hasSize(10).doesNotHaveDuplicates();
    assertThat(atOnceMax).isEqualTo(2);
  }

  @Test
  void aTaskThatThrowsLeavesItsThreadAlive() {
    for (int i = 0; i < 3; i++) {
      workers.submit(
          () -> {
            throw UniserveException.invalid("on purpose");
          });
    }
    workers.submit(() -> task(1));
    run();
    assertThat(done).containsExactly(1);
  }

  @Test
  void closedWorkersEndWhatTheyHaveAndRefuseMore() {
    workers.submit(() -> task(1));
    workers.close();
    run();
    assertThat(done).containsExactly(1);
    assertThatThrownBy(() -> workers.submit(() -> task(2)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void cpuTimeGrowsAndIsRepeatable() {
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      life.start(
          "counting",
          () -> {
            times.add(
                new SimulatedThreads(scheduler, life, clock, new Seed(1).random("t")).cpuNanos());
          });
    }
    run();
    assertThat(times).hasSize(2).allMatch(time -> time > 0);
    assertThat(times.getFirst()).isEqualTo(times.getLast());
  }
}
