package io.uniserve.runtime.server;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Workers;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that compute, and for how long they have, what runs at the moment included. */
final class BusyWorkers implements Workers {
  private final Workers workers;
  private final Clock clock;
  private final OperatorTimes times = new OperatorTimes();
  private final ReentrantLock lock = new ReentrantLock();

  /** Of what has ended; less the begin of each task that runs. */
  private long sumNanos;

  private int running;

  BusyWorkers(Workers workers, Clock clock) {
    this.workers = workers;
    this.clock = clock;
  }

  /** For how long all tasks together have had a thread. */
  long busyNanos() {
    lock.lock();
    try {
      return sumNanos + running * clock.nanos();
    } finally {
      lock.unlock();
    }
  }

  /** How long tasks took that ended since a moment; see {@link OperatorTimes}. */
  OptionalDouble slowestHundredthMillis(long sinceNanos) {
    return times.slowestHundredthMillis(sinceNanos);
  }

  @Override
  public void submit(Runnable task) {
    long submittedNanos = clock.nanos();
    workers.submit(() -> run(task, submittedNanos));
  }

  /** Runs a task that takes microseconds on the calling thread, and counts it as any other. */
  void runHere(Runnable task) {
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
