package io.uniserve.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** A clock that stands still until a test advances it, and then runs the tasks that are due. */
public final class ManualClock implements Clock {
  private record Task(long at, Runnable body) {}

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Task> tasks = new ArrayList<>();
  private int scheduled;

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanos.get());
  }

  @Override
  public Timer schedule(Duration delay, Runnable body) {
    Task task = new Task(nanos.get() + delay.toNanos(), body);
    lock.lock();
    try {
      tasks.add(task);
      scheduled++;
    } finally {
      lock.unlock();
    }
    return () -> take(task);
  }

  @Override
  public void sleep(Duration duration) {
    advance(duration);
  }

  /** Lets time pass; the tasks that are due run here, each at its time. */
  public void advance(Duration duration) {
    long until = nanos.get() + duration.toNanos();
    for (Task due = earliest(until); due != null; due = earliest(until)) {
      nanos.set(due.at);
      if (take(due)) {
        due.body.run();
      }
    }
    nanos.set(until);
  }

  /** Returns the number of timers that were ever set. */
  public int scheduledTimers() {
    return scheduled;
  }

  private boolean take(Task task) {
    lock.lock();
    try {
      return tasks.removeIf(candidate -> candidate == task);
    } finally {
      lock.unlock();
    }
  }

  private Task earliest(long until) {
    lock.lock();
    try {
      return tasks.stream()
          .filter(task -> task.at - until <= 0)
          .min(Comparator.comparingLong(task -> task.at - until))
          .orElse(null);
    } finally {
      lock.unlock();
    }
  }
}
