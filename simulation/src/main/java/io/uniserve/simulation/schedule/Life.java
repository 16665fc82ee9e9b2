package io.uniserve.simulation.schedule;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One run of a simulated process. When it is killed, its threads stop where they wait and never run
 * again, not even their {@code finally} blocks: as after a {@code kill -9}. They become garbage
 * with everything they hold, so nothing may be shared between processes.
 */
public final class Life {
  private final Scheduler scheduler;
  private final String name;
  private final Set<SimulatedThread> threads = new LinkedHashSet<>();
  private final List<SimulatedThread.Ready> held = new ArrayList<>();
  private final List<Runnable> onKill = new ArrayList<>();
  private boolean alive = true;
  private boolean paused;
  private long pausedSinceNanos;

  Life(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
  }

  /** Returns the name of the process, with the number of this life. */
  public String name() {
    return name;
  }

  /** Returns whether it has not been killed. */
  public boolean alive() {
    return alive;
  }

  /** Returns whether its threads are stopped for now. */
  public boolean paused() {
    return paused;
  }

  /** Returns for how long it has been paused, in simulated nanoseconds; 0 if it is not. */
  public long pausedNanos() {
    return paused ? scheduler.nanos() - pausedSinceNanos : 0;
  }

  /** Starts a thread of this process; nothing happens once the life has ended. */
  public Thread start(String threadName, Runnable body) {
    SimulatedThread started = scheduler.createThread(this, threadName, body);
    if (alive) {
      threads.add(started);
      started.thread().start();
    }
    return started.thread();
  }

  /**
   * Runs a task of the simulator at a moment, unless this life has ended by then or the event is
   * cancelled.
   */
  public Event at(long nanos, Runnable task) {
    return scheduler.at(
        nanos,
        () -> {
          if (alive) {
            task.run();
          }
        });
  }

  /** Runs code of this process and reports its exceptions. */
  void guard(String threadName, Runnable code) {
    try {
      code.run();
    } catch (Throwable e) {
      scheduler.uncaught(this, threadName, e);
    }
  }

  /** Runs a task of the simulator when this life ends. */
  public void onKill(Runnable task) {
    onKill.add(task);
  }

  /** Ends this life. A thread that kills its own process stops here. */
  public void kill() {
    if (!alive) {
      return;
    }
    alive = false;
    scheduler.drop(this);
    threads.clear();
    held.clear();
    onKill.forEach(Runnable::run);
    onKill.clear();
    if (scheduler.runningLife() == this) {
      scheduler.stopRunningThread();
    }
  }

  /** Stops all threads until {@link #resume}, as SIGSTOP does; timers and messages queue up. */
  public void pause() {
    pausedSinceNanos = scheduler.nanos() - pausedNanos();
    paused = true;
    held.addAll(scheduler.drop(this));
  }

  /** Lets the threads go on. */
  public void resume() {
    paused = false;
    List<SimulatedThread.Ready> released = List.copyOf(held);
    held.clear();
    released.forEach(scheduler::ready);
  }

  void hold(SimulatedThread.Ready ready) {
    held.add(ready);
  }

  void ended(SimulatedThread thread) {
    threads.remove(thread);
  }

  /** Describes every thread that has not ended, and where it waits. */
  void describe(StringBuilder out) {
    for (SimulatedThread thread : threads) {
      out.append("  ").append(thread).append(paused ? " (paused)" : "").append('\n');
      for (StackTraceElement element : thread.thread().getStackTrace()) {
        if (!element.getClassName().startsWith("java.")) {
          out.append("      at ").append(element).append('\n');
        }
      }
    }
  }
}
