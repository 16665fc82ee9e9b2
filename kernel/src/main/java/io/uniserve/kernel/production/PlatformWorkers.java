package io.uniserve.kernel.production;

import io.uniserve.kernel.ExpectedWait;
import io.uniserve.kernel.Workers;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A pool of platform threads behind one queue. A thread without a task first spins, for longer if
 * tasks have recently come soon after each other ({@link AdaptiveSpin}), and then parks. The thread
 * that parked last is woken first.
 *
 * <p>No task is left waiting while a thread is idle. Adding a task wakes a parked thread unless one
 * is spinning. A thread that stops spinning or parks announces it and then checks the queue once
 * more. A thread that has taken a task wakes another one if there are more.
 */
final class PlatformWorkers implements Workers {
  private static final Runnable STOP = () -> {};

  /**
   * The number of callers that may run a task themselves at once, in the whole JVM. One processor
   * is left to the other virtual threads, which would all stand still otherwise if tasks took long.
   */
  private static final Semaphore HERE =
      new Semaphore(Runtime.getRuntime().availableProcessors() - 1);

  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Supplier<Runnable> nextTask = tasks::poll;
  private final ConcurrentLinkedDeque<Thread> asleep = new ConcurrentLinkedDeque<>();

  /** The number of threads that spin for a task. */
  private final AtomicInteger looking = new AtomicInteger();

  private final String name;
  private final int count;
  private final UncaughtExceptionHandler failures;

  /** The expected wait for a task. */
  private final ExpectedWait expected = new ExpectedWait();

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
    add(task);
    if (closed && tasks.remove(task)) {
      throw refused();
    }
  }

  @Override
  public boolean tryHere(Runnable task) {
    if (closed || !tasks.isEmpty() || !HERE.tryAcquire()) {
      return false;
    }
    AdaptiveSpin.computes();
    try {
      task.run();
    } catch (Throwable e) {
      failures.uncaughtException(Thread.currentThread(), e);
    } finally {
      AdaptiveSpin.computed();
      HERE.release();
    }
    return true;
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
        add(STOP);
      }
    }
  }

  private void add(Runnable task) {
    tasks.add(task);
    wakeIfNobodyLooks();
  }

  private void wakeIfNobodyLooks() {
    if (looking.get() == 0) {
      LockSupport.unpark(asleep.poll()); // of nobody, nothing
    }
  }

  private void work() {
    for (Runnable task = next(); task != STOP; task = next()) {
      AdaptiveSpin.computes();
      try {
        task.run();
      } catch (Throwable e) {
        failures.uncaughtException(Thread.currentThread(), e);
      } finally {
        AdaptiveSpin.computed();
      }
    }
  }

  /** Returns the next task. Clears an interrupt, since it was meant for the task that has ended. */
  private Runnable next() {
    Thread.interrupted();
    Runnable task = tasks.poll();
    if (task != null) {
      return task;
    }
    long beganNanos = System.nanoTime();
    task = look();
    if (task == null) {
      task = sleep();
    }
    if (!tasks.isEmpty()) {
      wakeIfNobodyLooks();
    }
    expected.took(System.nanoTime() - beganNanos);
    return task;
  }

  private Runnable look() {
    looking.incrementAndGet();
    try {
      return AdaptiveSpin.await(nextTask, expected.nanos());
    } finally {
      looking.decrementAndGet();
    }
  }

  private Runnable sleep() {
    Thread self = Thread.currentThread();
    while (true) {
      asleep.push(self);
      Runnable task = tasks.poll();
      if (task == null) {
        LockSupport.park(this);
        Thread.interrupted();
        task = tasks.poll();
      }
      asleep.remove(self);
      if (task != null) {
        return task;
      }
    }
  }

  private IllegalStateException refused() {
    return new IllegalStateException("the workers '" + name + "' are closed");
  }
}
