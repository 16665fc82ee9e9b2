package io.uniserve.bench.faults;

import io.uniserve.api.error.UniserveException;
import io.uniserve.bench.base.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client that makes one request after another and retries each until it succeeds, with a short
 * pause in between. An error that a retry cannot remedy ends the benchmark.
 */
public final class Client implements Runnable {
  /**
   * The pause between requests, so that also a machine with two cores has processors left for what
   * begins again.
   */
  private static final long PAUSE_MILLIS = 100;

  private final Request request;
  private final ReentrantLock lock = new ReentrantLock();
  private Waits waits = Waits.NONE;
  private UniserveException broken;
  private long ended;
  private volatile boolean stopped;

  /** A kind of request. */
  @FunctionalInterface
  interface Request {
    /**
     * Attempts a request.
     *
     * @param number the number of the request; the same for all attempts of one request
     * @return true if the answer is complete
     */
    boolean attempt(long number);
  }

  Client(Request request) {
    this.request = request;
  }

  @Override
  public void run() {
    for (long number = 0; !stopped; number++) {
      long begun = System.nanoTime();
      List<String> failures = new ArrayList<>();
      boolean fresh = true;
      boolean done = false;
      while (!done && !stopped) {
        try {
          fresh = request.attempt(number);
          done = true;
        } catch (UniserveException e) {
          failures.add(e.code() + " " + e.getMessage());
          if (!e.retryable()) {
            end(e);
          }
          pause();
        }
      }
      if (done) {
        took(System.nanoTime() - begun, failures, fresh);
      }
      pause();
    }
  }

  private void end(UniserveException failure) {
    stopped = true;
    lock.lock();
    try {
      broken = failure;
    } finally {
      lock.unlock();
    }
  }

  private void took(long nanos, List<String> failures, boolean fresh) {
    lock.lock();
    try {
      waits = waits.and(new Waits(1, nanos / 1e6, failures, fresh ? 0 : 1));
      ended++;
    } finally {
      lock.unlock();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  /** Returns the number of requests that have ended. */
  long ended() {
    lock.lock();
    try {
      if (broken != null) {
        throw new BenchException("A request failed for good: " + broken.getMessage(), broken);
      }
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the outcome of all requests that have ended since the last call. */
  Waits take() {
    lock.lock();
    try {
      Waits taken = waits;
      waits = Waits.NONE;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    stopped = true;
  }
}
