package io.uniserve.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancelTasksTest {
  private final CancelTasks tasks = new CancelTasks();
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void runOnceInOrderAndAtOnceAfterwards() {
    tasks.add(() -> ran.add(1));
    tasks.add(() -> ran.add(2));
    assertThat(ran).isEmpty();
    tasks.run();
    tasks.run();
    tasks.discard();
    tasks.add(() -> ran.add(3));
    assertThat(ran).containsExactly(1, 2, 3);
  }

  @Test
  void areForgottenByACallThatEndedWell() {
    tasks.add(() -> ran.add(1));
    tasks.discard();
    tasks.run();
    tasks.add(() -> ran.add(2));
    assertThat(ran).isEmpty();
  }

  @Test
  void oneThatThrowsDoesNotKeepTheOthers() {
    for (int i = 1; i <= 3; i++) {
      int number = i;
      tasks.add(
          () -> {
            ran.add(number);
            throw new IllegalStateException("task " + number);
          });
    }
    assertThatThrownBy(tasks::run)
        .hasMessage("task 1")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
    assertThat(ran).containsExactly(1, 2, 3);
  }

  @Test
  void everyTaskRunsOnceWhenAddingRacesWithRunning() throws Exception {
    for (int round = 0; round < 500; round++) {
      CancelTasks racing = new CancelTasks();
      AtomicInteger count = new AtomicInteger();
      CyclicBarrier barrier = new CyclicBarrier(2);
      Thread adding =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      barrier.await();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                    for (int i = 0; i < 20; i++) {
                      racing.add(count::incrementAndGet);
                    }
                  });
      barrier.await();
      racing.run();
      adding.join();
      assertThat(count).hasValue(20);
    }
  }
}
