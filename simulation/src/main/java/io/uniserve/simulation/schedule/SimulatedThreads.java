package io.uniserve.simulation.schedule;

import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import java.util.random.RandomGenerator;

/** The threads of one life. */
public final class SimulatedThreads implements Threads {
  private final Scheduler scheduler;
  private final Life life;
  private final SimulatedClock clock;
  private final RandomGenerator random;

  /**
   * @param scheduler the scheduler
   * @param life the threads'
   * @param clock the clock of that life
   * @param random decides how long a worker's task takes
   */
  public SimulatedThreads(
      Scheduler scheduler, Life life, SimulatedClock clock, RandomGenerator random) {
    this.scheduler = scheduler;
    this.life = life;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Thread start(String name, Runnable body) {
    return life.start(name, body);
  }

  @Override
  public Workers workers(String name, int count) {
    return new SimulatedWorkers(life, clock, random, name, count);
  }

  @Override
  public Signal signal() {
    return new SimulatedSignal(scheduler, life, clock);
  }

  @Override
  public long cpuNanos() {
    return scheduler.cpuNanos();
  }
}
