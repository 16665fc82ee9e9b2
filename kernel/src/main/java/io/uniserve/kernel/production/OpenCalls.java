package io.uniserve.kernel.production;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The calls under way, and the one timer that ends calls whose deadline has passed. The timer is
 * set for the earliest deadline, so a call that ends in time costs no timer unless its deadline was
 * the earliest.
 */
final class OpenCalls {
  /** The least time between two sweeps, which bounds their cost. */
  private static final Duration PAUSE = Duration.ofMillis(5);

  private record Sweep(Deadline at, Clock.Timer timer) {}

  private final Clock clock;
  private final Set<InProcessCall> calls = ConcurrentHashMap.newKeySet();
  private final ReentrantLock planning = new ReentrantLock();
  private volatile Sweep next;

  OpenCalls(Clock clock) {
    this.clock = clock;
  }

  void add(InProcessCall call) {
    calls.add(call);
    if (isBeforeNext(call.deadline())) {
      plan(call.deadline());
    }
  }

  void remove(InProcessCall call) {
    calls.remove(call);
  }

  int count() {
    return calls.size();
  }

  void failAll(Predicate<InProcessCall> which, Function<InProcessCall, UniserveException> failure) {
    for (InProcessCall call : calls) {
      if (which.test(call)) {
        call.lose(failure.apply(call));
      }
    }
  }

  private boolean isBeforeNext(Deadline deadline) {
    Sweep planned = next;
    return planned == null || deadline.nanos() - planned.at.nanos() < 0;
  }

  private void plan(Deadline at) {
    planning.lock();
    try {
      if (!isBeforeNext(at)) {
        return;
      }
      if (next != null) {
        next.timer.cancel();
      }
      next = new Sweep(at, clock.schedule(at.remaining(clock), this::sweep));
    } finally {
      planning.unlock();
    }
  }

  private void sweep() {
    planning.lock();
    next = null;
    planning.unlock();
    Deadline earliest = null;
    for (InProcessCall call : calls) {
      if (call.deadline().expired(clock)) {
        call.expire();
      } else {
        earliest = earliest == null ? call.deadline() : earliest.earlier(call.deadline());
      }
    }
    if (earliest != null) {
      Deadline soonest = Deadline.after(clock, PAUSE);
      plan(earliest.earlier(soonest) == earliest ? soonest : earliest);
    }
  }
}
