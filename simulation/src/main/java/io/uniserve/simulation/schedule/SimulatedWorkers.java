package io.uniserve.simulation.schedule;

import io.uniserve.kernel.Workers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** A bounded pool of simulated threads; each task takes a little simulated time before it runs. */
final class SimulatedWorkers implements Workers {
  private static final int TASK_MICROS_MAX = 300;

  private final Life life;
  private final SimulatedClock clock;
  private final RandomGenerator random;
  private final String name;
  private final int count;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Deque<Thread> idle = new ArrayDeque<>();
  private boolean closed;

  SimulatedWorkers(
      Life life, SimulatedClock clock, RandomGenerator random, String name, int count) {
    this.life = life;
    this.clock = clock;
    this.random = random;
    this.name = name;
    this.count = count;
    for (int i = 0; i < count; i++) {
      life.start(name + "-" + i, this::work);
    }
  }

  @Override
  public void submit(Runnable task) {
    if (closed) {
      throw new IllegalStateException("the workers '" + name + "' are closed");
    }
    tasks.add(task);
    Thread free = idle.poll();
    if (free != null) {
      LockSupport.unpark(free);
    }
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public void close() {
    closed = true;
    idle.forEach(LockSupport::unpark);
    idle.clear();
  }

  private void work() {
    while (true) {
      Runnable task = tasks.poll();
      if (task != null) {
        perform(task);
      } else if (closed) {
        return;
      } else {
        awaitTask();
      }
    }
  }

  private void awaitTask() {
    Thread self = Thread.currentThread();
    // An interrupt that a task left behind would keep the thread from waiting.
    Thread.interrupted();
    idle.add(self);
    LockSupport.park(this);
    idle.remove(self);
  }

  private void perform(Runnable task) {
    clock.pass(Duration.ofNanos(random.nextLong(1, TASK_MICROS_MAX * 1_000L)));
    life.guard(name, task);
  }
}
