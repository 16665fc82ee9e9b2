package io.uniserve.kernel.production;

import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The threads of a real process: virtual threads for waiting and platform threads for computing.
 * All are daemons.
 */
public final class ProductionThreads implements Threads {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /** The timed waits of the whole JVM. Their one thread serves all processes that share it. */
  private static final TimedWaits TIMED_WAITS = TimedWaits.start();

  private final UncaughtExceptionHandler failures;

  /** Makes threads whose failures are logged. */
  public ProductionThreads() {
    this(LoggedFailures.HANDLER);
  }

  /**
   * Makes threads.
   *
   * @param failures receives exceptions of threads and of workers' tasks; it ends a process that
   *     must not go on after an {@link io.uniserve.kernel.InvariantViolation}
   */
  public ProductionThreads(UncaughtExceptionHandler failures) {
    this.failures = failures;
  }

  @Override
  public Thread start(String name, Runnable body) {
    return Thread.ofVirtual().name(name).uncaughtExceptionHandler(failures).start(body);
  }

  @Override
  public Workers workers(String name, int count) {
    return new PlatformWorkers(name, count, failures);
  }

  @Override
  public Signal signal() {
    return new ParkingSignal(TIMED_WAITS);
  }

  /**
   * Returns the CPU time of a platform thread; always 0 on a virtual thread, whose CPU time is not
   * measured.
   */
  @Override
  public long cpuNanos() {
    return Math.max(0, CPU.getCurrentThreadCpuTime());
  }
}
