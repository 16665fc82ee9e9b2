package io.uniserve.kernel.production;

import io.uniserve.kernel.Workers;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.LinkedTransferQueue;

/**
 * Platform threads behind one transfer queue: a task that finds an idle thread is handed to it
 * without being queued, in 2 to 5 µs there and back.
 */
final class PlatformWorkers implements Workers {
  private static final Runnable STOP = () -> {};

  private final LinkedTransferQueue<Runnable> tasks = new LinkedTransferQueue<>();
  private final String name;
  private final int count;
  private final UncaughtExceptionHandler failures;
  private volatile boolean closed;

  PlatformWorkers(String name, int count, UncaughtExceptionHandler failures) {
    if (count < 1) {
      throw new IllegalArgumentException(name + ": at least one worker, not " + count);
    }
    this.name = name;
    this.count = count;
    this.failures = failures;
    for (int i = 0; i < count; i++) {
      Thread.ofPlatform().daemon().name(name + "-" + i).start(this::work);
    }
  }

  @Override
  public void submit(Runnable task) {
    if (closed) {
      throw refused();
    }
    tasks.add(task);
    if (closed && tasks.remove(task)) {
      throw refused();
    }
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      for (int i = 0; i < count; i++) {
        tasks.add(STOP);
      }
    }
  }

  private void work() {
    for (Runnable task = next(); task != STOP; task = next()) {
      try {
        task.run();
      } catch (Throwable e) {
        failures.uncaughtException(Thread.currentThread(), e);
      }
    }
  }

  /** An interrupt is meant for the task during which it came, which has ended. */
  private Runnable next() {
    while (true) {
      try {
        return tasks.take();
      } catch (InterruptedException e) {
        Thread.interrupted();
      }
    }
  }

  private IllegalStateException refused() {
    return new IllegalStateException("the workers '" + name + "' are closed");
  }
}
