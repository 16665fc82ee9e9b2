package io.uniserve.simulation.schedule;

import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A flag whose deadlines are simulated. */
final class SimulatedSignal implements Signal {
  private final Scheduler scheduler;
  private final Life life;
  private final SimulatedClock clock;
  private final List<Thread> waiting = new ArrayList<>();
  private boolean set;

  SimulatedSignal(Scheduler scheduler, Life life, SimulatedClock clock) {
    this.scheduler = scheduler;
    this.life = life;
    this.clock = clock;
  }

  @Override
  public void set() {
    if (!set) {
      set = true;
      waiting.forEach(LockSupport::unpark);
    }
  }

  @Override
  public boolean isSet() {
    return set;
  }

  @Override
  public boolean await(Deadline deadline) throws InterruptedException {
    throwIfInterrupted();
    if (set || deadline.expired(clock)) {
      return set;
    }
    if (!scheduler.mayWait()) {
      throw new IllegalStateException("only a simulated thread may wait");
    }
    Thread self = Thread.currentThread();
    waiting.add(self);
    try {
      while (!set && !deadline.expired(clock)) {
        parkUntil(deadline, self);
        throwIfInterrupted();
      }
      return set;
    } finally {
      waiting.remove(self);
    }
  }

  /** Waits; it may return early: if the clock has slowed down, the timeout comes early. */
  private void parkUntil(Deadline deadline, Thread self) {
    Event timeout =
        life.at(clock.moment(deadline.remainingNanos(clock)), () -> LockSupport.unpark(self));
    LockSupport.park(this);
    timeout.cancel();
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
