package io.uniserve.runtime.server.query;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The queue of work that this server has accepted and not begun. Work that would wait longer than a
 * bound, or than its own deadline leaves, is refused before anything is done for it, so that its
 * client can ask another server while there is time.
 */
final class Admission {
  private final Clock clock;
  private final ServerSettings settings;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong waitingNanos = new AtomicLong();

  Admission(Clock clock, ServerSettings settings) {
    this.clock = clock;
    this.settings = settings;
  }

  /** Returns how many operators wait for a thread. */
  int waiting() {
    return waiting.get();
  }

  /**
   * Takes operators in; {@link #begun} must follow for each.
   *
   * @param cost CPU nanoseconds of all of them, as far as known
   * @throws UniserveException with {@link ErrorCode#OVERLOADED}
   */
  void admit(int operators, long cost, Deadline deadline) {
    Duration wait = expectedWait();
    int before = waiting.getAndAdd(operators);
    boolean tooMany = before + operators > settings.work().operatorsWaitingMax();
    boolean tooLong = before > 0 && tooLong(wait, deadline);
    if (tooMany || tooLong) {
      waiting.addAndGet(-operators);
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          "the server is full: " + before + " operators wait for about " + wait.toMillis() + " ms");
    }
    waitingNanos.addAndGet(cost);
  }

  private boolean tooLong(Duration wait, Deadline deadline) {
    return wait.compareTo(settings.work().operatorWaitMax()) > 0
        || wait.compareTo(deadline.remaining(clock)) > 0;
  }

  /** Returns for how long the waiting work will keep the threads busy. */
  private Duration expectedWait() {
    return Duration.ofNanos(waitingNanos.get() / settings.work().operatorThreads());
  }

  /** Notes that one operator has got a thread. */
  void begun(long cost) {
    waiting.decrementAndGet();
    waitingNanos.addAndGet(-cost);
  }
}
