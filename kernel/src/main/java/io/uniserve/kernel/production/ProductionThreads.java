package io.uniserve.kernel.production;

import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Virtual threads to wait on, platform threads to compute on. All are daemons. */
public final class ProductionThreads implements Threads {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /** One for the JVM, like the JDK's own: its thread is needed however many processes share it. */
  private static final TimedWaits TIMED_WAITS = TimedWaits.start();

  private final UncaughtExceptionHandler failures;

  /** Threads whose failures are logged. */
  public ProductionThreads() {
    this(LoggedFailures.HANDLER);
  }

  /**
   * @param failures told what threads and workers' tasks throw; a process that must not go on after
   *     an {@link io.uniserve.kernel.InvariantViolation} ends itself here
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

  /** On a virtual thread, whose CPU time is not measured, always 0. */
  @Override
  public long cpuNanos() {
    return Math.max(0, CPU.getCurrentThreadCpuTime());
  }
}
