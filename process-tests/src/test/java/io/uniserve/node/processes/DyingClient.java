package io.uniserve.node.processes;

import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.scenario.cluster.work.CrashingClient;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One life of a client that ends in the middle of its updates: its connections break, and its
 * threads end with them.
 */
final class DyingClient implements AutoCloseable {
  private final RealClient real;
  private final MortalThreads threads;
  private volatile boolean dead;

  /**
   * @param failures told of the failures during its life
   */
  DyingClient(RealClient real, CrashingClient mortal, UncaughtExceptionHandler failures) {
    this.real = real;
    threads =
        new MortalThreads(
            new ProductionThreads(
                (thread, failure) -> {
                  if (!dead) {
                    failures.uncaughtException(thread, failure);
                  }
                }));
    Environment own = real.environment();
    ClusterClient client = real.client();
    mortal.live(
        new ProductionEnvironment(
            own.clock(), threads, own.storage(), own.random(), own.transport()),
        client);
  }

  /** Waits until the client has done the work after which it is to stop. */
  void join() throws InterruptedException {
    for (Thread thread : threads.started()) {
      thread.join();
    }
  }

  @Override
  public void close() {
    dead = true;
    real.close();
    threads.started().forEach(Thread::interrupt);
    try {
      join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  /** Threads that can be ended. */
  private record MortalThreads(Threads next, List<Thread> started) implements Threads {
    MortalThreads(Threads next) {
      this(next, new CopyOnWriteArrayList<>());
    }

    @Override
    public Thread start(String name, Runnable body) {
      Thread thread = next.start(name, body);
      started.add(thread);
      return thread;
    }

    @Override
    public Workers workers(String name, int count) {
      return next.workers(name, count);
    }

    @Override
    public Signal signal() {
      return next.signal();
    }

    @Override
    public long cpuNanos() {
      return next.cpuNanos();
    }
  }
}
