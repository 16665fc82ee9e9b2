package io.uniserve.solvers;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.policy.placement.podp.Compute;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * The clock of this machine and some of its processors. It must be closed after the last decision.
 */
public final class MachineCompute implements Compute, AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final int processors;
  private final ExecutorService threads;

  /** Makes one with a number of threads. */
  public MachineCompute(int processors) {
    this.processors = processors;
    threads =
        Executors.newFixedThreadPool(
            processors, Thread.ofPlatform().daemon().name("placement-", 0).factory());
  }

  @Override
  public LongSupplier countdown(long millis) {
    long end = System.nanoTime() + millis * NANOS_PER_MILLI;
    return () -> Math.max(0, (end - System.nanoTime()) / NANOS_PER_MILLI);
  }

  @Override
  public int processors() {
    return processors;
  }

  @Override
  public <T> List<T> runAll(List<Callable<T>> tasks) {
    List<Future<T>> futures;
    try {
      futures = threads.invokeAll(tasks);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "placement was interrupted", e);
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(result(future));
    }
    return results;
  }

  private static <T> T result(Future<T> done) {
    try {
      return done.get();
    } catch (ExecutionException e) {
      throw UniserveException.of(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "placement was interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
