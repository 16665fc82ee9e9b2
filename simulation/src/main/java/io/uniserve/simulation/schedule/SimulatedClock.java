package io.uniserve.simulation.schedule;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The clock of one life: simulated time seen through a process's own skew and drift. */
public final class SimulatedClock implements Clock {
  private final Scheduler scheduler;
  private final Life life;
  private final ClockError error;
  private final SerialTasks timers;

  /**
   * @param scheduler the scheduler
   * @param life the clock's
   * @param error the error of the clock
   */
  public SimulatedClock(Scheduler scheduler, Life life, ClockError error) {
    this.scheduler = scheduler;
    this.life = life;
    this.error = error;
    timers = new SerialTasks(life, "timers");
  }

  @Override
  public long nanos() {
    return error.local(scheduler.nanos());
  }

  @Override
  public Instant now() {
    return Scheduler.START.plusNanos(error.sinceOrigin(scheduler.nanos())).plus(error.skew());
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    Pending pending = new Pending(task);
    Event due = life.at(moment(delay.toNanos()), () -> timers.add(pending));
    return () -> {
      due.cancel();
      pending.cancelled = true;
    };
  }

  /** A task that may be cancelled even when it is due already and waits behind another. */
  private static final class Pending implements Runnable {
    private final Runnable task;
    private boolean cancelled;

    Pending(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (!cancelled) {
        task.run();
      }
    }
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    SimulatedSignal never = new SimulatedSignal(scheduler, life, this);
    never.await(Deadline.after(this, duration));
  }

  /** Suspends the calling thread, despite interrupts, if it is a simulated one. */
  public void pass(Duration duration) {
    if (scheduler.mayWait()) {
      boolean interrupted = Thread.interrupted();
      waitThrough(duration);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void waitThrough(Duration duration) {
    long until = scheduler.nanos() + duration.toNanos();
    Thread self = Thread.currentThread();
    life.at(until, () -> LockSupport.unpark(self));
    while (scheduler.nanos() < until) {
      LockSupport.park(this);
    }
  }

  /** Returns the moment of simulated time at which this clock will have advanced by a time. */
  public long moment(long localNanos) {
    return scheduler.nanos() + error.simulated(Math.max(0, localNanos));
  }
}
