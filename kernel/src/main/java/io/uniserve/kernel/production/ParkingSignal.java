package io.uniserve.kernel.production;

import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** A signal whose waits spin briefly before they park ({@link AdaptiveSpin}). */
final class ParkingSignal implements Signal {
  private final TimedWaits timedWaits;
  private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean set;

  /**
   * Makes a signal that is not set.
   *
   * @param timedWaits wakes virtual threads at their deadlines
   */
  ParkingSignal(TimedWaits timedWaits) {
    this.timedWaits = timedWaits;
  }

  @Override
  public void set() {
    set = true;
    waiting.forEach(LockSupport::unpark);
  }

  @Override
  public boolean isSet() {
    return set;
  }

  @Override
  public boolean await(Deadline deadline) throws InterruptedException {
    return await(deadline, Long.MAX_VALUE);
  }

  @Override
  public boolean await(Deadline deadline, long expectedNanos) throws InterruptedException {
    if (AdaptiveSpin.await(this::orNull, expectedNanos) != null) {
      return true;
    }
    Thread self = Thread.currentThread();
    waiting.add(self);
    try {
      return self.isVirtual() ? parkUntimed(deadline.nanos()) : parkTimed(deadline.nanos());
    } finally {
      waiting.remove(self);
    }
  }

  private ParkingSignal orNull() {
    return set ? this : null;
  }

  private boolean parkUntimed(long nanos) throws InterruptedException {
    TimedWaits.Wait wait = timedWaits.begin(nanos);
    try {
      while (mustWait(nanos)) {
        LockSupport.park(this);
      }
      return set;
    } finally {
      wait.end();
    }
  }

  /**
   * Parks until the time is up. The system wakes a platform thread; {@link TimedWaits} wakes a
   * virtual one.
   */
  private boolean parkTimed(long nanos) throws InterruptedException {
    while (mustWait(nanos)) {
      LockSupport.parkNanos(this, nanos - System.nanoTime());
    }
    return set;
  }

  private boolean mustWait(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return !set && nanos - System.nanoTime() > 0;
  }
}
