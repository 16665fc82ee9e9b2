package io.uniserve.runtime.server.engine;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Workers;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;

/** Worker threads that count for how long they have computed, tasks that still run included. */
public final class BusyWorkers implements Workers {
  private final Workers workers;
  private final Clock clock;
  private final OperatorTimes times = new OperatorTimes();
  private final ReentrantLock lock = new ReentrantLock();

  /** The sum over ended tasks, minus the begin time of each running task. */
  private long sumNanos;

  private int running;

  public BusyWorkers(Workers workers, Clock clock) {
    this.workers = workers;
    this.clock = clock;
  }

  /** Returns for how long all tasks together have had a thread. */
  public long busyNanos() {
    lock.lock();
    try {
      return sumNanos + running * clock.nanos();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the 99th percentile of the duration of tasks that ended since a moment; see {@link
   * OperatorTimes}.
   */
  public OptionalDouble slowestHundredthMillis(long sinceNanos) {
    return times.slowestHundredthMillis(sinceNanos);
  }

  @Override
  public void submit(Runnable task) {
    long submittedNanos = clock.nanos();
    workers.submit(() -> run(task, submittedNanos));
  }

  @Override
  public boolean tryHere(Runnable task) {
    long submittedNanos = clock.nanos();
    return workers.tryHere(() -> run(task, submittedNanos));
  }

  /** Runs a task that takes microseconds on the calling thread, and counts it as any other. */
  public void runHere(Runnable task) {
    run(task, clock.nanos());
  }

  private void run(Runnable task, long submittedNanos) {
    count(1);
    try {
      task.run();
    } finally {
      count(-1);
      long now = clock.nanos();
      times.took(now, now - submittedNanos);
    }
  }

  private void count(int more) {
    lock.lock();
    try {
      running += more;
      sumNanos -= more * clock.nanos();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int count() {
    return workers.count();
  }

  @Override
  public void close() {
    workers.close();
  }
}
