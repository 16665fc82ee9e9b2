package io.uniserve.surfaces;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A limit of the requests that are carried out at a time. Others wait for their turn in the order
 * of arrival. The number of waiting requests, their bytes and the time that they wait are bounded.
 */
public final class Turns {
  private final String what;
  private final Bounds bounds;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();

  /**
   * Bounds of requests.
   *
   * @param atOnce the most requests that are carried out at a time
   * @param waiting the most requests that wait
   * @param waitingBytes the most bytes that waiting requests hold together
   * @param patience the longest time that a request waits
   */
  public record Bounds(int atOnce, int waiting, long waitingBytes, Duration patience) {}

  /** The right of a request to be carried out, until it is closed. */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Makes the limit.
   *
   * @param what a name of the requests, in the plural, for errors
   */
  public Turns(String what, Bounds bounds) {
    this.what = what;
    this.bounds = bounds;
    free = new Semaphore(bounds.atOnce(), true);
  }

  /**
   * Waits for a turn.
   *
   * @param bytes the bytes that the request holds while it waits
   * @throws UniserveException with {@link ErrorCode#OVERLOADED} naming the bound that is reached;
   *     no part of the request has been carried out
   */
  public Turn take(long bytes) {
    try {
      if (!free.tryAcquire(0, TimeUnit.SECONDS)) {
        await(bytes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "a waiting request was interrupted", e);
    }
    return free::release;
  }

  private void await(long bytes) throws InterruptedException {
    try {
      // This order lets the code below give both back after any exception.
      long held = waitingBytes.addAndGet(bytes);
      if (waiting.incrementAndGet() > bounds.waiting()) {
        throw overloaded(bounds.waiting() + " others wait");
      }
      if (held > bounds.waitingBytes()) {
        throw overloaded("those that wait have more than " + bounds.waitingBytes() + " bytes");
      }
      if (!free.tryAcquire(bounds.patience().toNanos(), TimeUnit.NANOSECONDS)) {
        throw overloaded("none of them ended within " + bounds.patience().toMillis() + " ms");
      }
    } finally {
      waiting.decrementAndGet();
      waitingBytes.addAndGet(-bytes);
    }
  }

  private UniserveException overloaded(String why) {
    return new UniserveException(
        ErrorCode.OVERLOADED, bounds.atOnce() + " " + what + " are being carried out, and " + why);
  }

  /** Returns the number of waiting requests. */
  public int waiting() {
    return waiting.get();
  }
}
