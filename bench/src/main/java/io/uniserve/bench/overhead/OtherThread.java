package io.uniserve.bench.overhead;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A thread that runs a call while the caller waits. It shows the time that the machine takes to
 * wake two threads, which every query needs whose operator is not brief.
 */
final class OtherThread implements AutoCloseable {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  byte[] ask(Callable<byte[]> call) {
    try {
      return thread.submit(call).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("nobody interrupts a caller", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the other thread failed", e.getCause());
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
