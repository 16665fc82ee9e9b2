package io.uniserve.runtime.control.raft;

import io.microraft.executor.RaftNodeExecutor;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Workers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The one thread that a member runs on. After {@link #stop} it runs nothing any more, not even
 * tasks that were due: a member whose disk has failed must not send another message.
 */
final class RaftThread implements RaftNodeExecutor {
  /**
   * The share by which delays vary, so that two members do not stand for election at the same time
   * repeatedly.
   */
  private static final double JITTER = 0.3;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Environment environment;
  private final RaftTime time;
  private final Workers worker;
  private final Signal ended;
  private volatile boolean stopped;
  private volatile Thread atOnce;

  RaftThread(Environment environment, RaftTime time, String name) {
    this.environment = environment;
    this.time = time;
    this.worker = environment.threads().workers(name, 1);
    this.ended = environment.threads().signal();
  }

  @Override
  public void execute(Runnable task) {
    if (Thread.currentThread().equals(atOnce)) {
      task.run();
    } else {
      submit(task);
    }
  }

  /**
   * Runs a task that calls the member, together with everything that the member wants executed for
   * it at once.
   */
  void submitWhole(Runnable task) {
    submit(
        () -> {
          atOnce = Thread.currentThread();
          try {
            task.run();
          } finally {
            atOnce = null;
          }
        });
  }

  @Override
  public void submit(Runnable task) {
    if (stopped) {
      return;
    }
    try {
      worker.submit(() -> runUnlessStopped(task));
    } catch (IllegalStateException e) {
      // The thread was closed between the check and the submission. Tasks that were due do not run,
      // as promised.
      stopped = true;
    }
  }

  private void runUnlessStopped(Runnable task) {
    if (!stopped) {
      task.run();
    }
  }

  @Override
  public void schedule(Runnable task, long delay, TimeUnit unit) {
    Clock clock = environment.clock();
    double stretch = 1 + JITTER * environment.random().nextDouble();
    Duration real = time.real((long) (unit.toNanos(delay) * stretch));
    clock.schedule(real, () -> submit(task));
  }

  boolean stopped() {
    return stopped;
  }

  void stop() {
    stopped = true;
    try {
      worker.submit(ended::set);
    } catch (IllegalStateException e) {
      // The thread was stopped before.
    }
    worker.close();
  }

  /** Waits for the end of the present task. */
  void awaitEnd() {
    try {
      ended.await(Deadline.after(environment.clock(), PATIENCE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
