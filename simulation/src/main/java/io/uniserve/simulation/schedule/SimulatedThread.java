package io.uniserve.simulation.schedule;

import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * One simulated thread. It takes its own continuations, which tells the scheduler whose they are.
 */
final class SimulatedThread implements Executor {
  private final Scheduler scheduler;
  private final Life life;
  private final String name;
  private final int ordinal;
  private final Thread thread;
  private final LongConsumer meter;
  private long cpuNanos;
  private long steps;

  SimulatedThread(Scheduler scheduler, Life life, String name, int ordinal, Runnable body) {
    this.scheduler = scheduler;
    this.life = life;
    this.name = name;
    this.ordinal = ordinal;
    this.meter = scheduler.meter(name);
    thread = VirtualThreads.create(life.name() + "/" + name, this, () -> whole(body));
  }

  private void whole(Runnable body) {
    life.guard(name, body);
    life.ended(this);
  }

  @Override
  public void execute(Runnable continuation) {
    scheduler.ready(new Ready(this, continuation));
  }

  /** Returns the receiver of the real CPU time of its steps; null if nobody wants it. */
  LongConsumer meter() {
    return meter;
  }

  /** One continuation that may run. */
  record Ready(SimulatedThread thread, Runnable continuation) {}

  void countStep() {
    steps++;
  }

  /** Returns a made-up CPU time that grows with the steps of the thread and with every call. */
  long cpuNanos() {
    cpuNanos += 1_000 + 700 * (steps % 7);
    return cpuNanos;
  }

  Life life() {
    return life;
  }

  Thread thread() {
    return thread;
  }

  int ordinal() {
    return ordinal;
  }

  long steps() {
    return steps;
  }

  @Override
  public String toString() {
    return life.name() + "/" + name;
  }
}
