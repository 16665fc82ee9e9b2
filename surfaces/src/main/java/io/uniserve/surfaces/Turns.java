package io.uniserve.surfaces;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets so many requests be carried out at a time. Others wait for their turn in the order in which
 * they came; how many wait, what they hold meanwhile and how long they wait is bounded.
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
   * @param atOnce that are carried out at a time
   * @param waiting that wait
   * @param waitingBytes that those that wait hold together
   * @param patience how long any of them waits
   */
  public record Bounds(int atOnce, int waiting, long waitingBytes, Duration patience) {}

  /** The right to be carried out, until it is closed. */
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @param what the requests are, in the plural, for errors
   */
  public Turns(String what, Bounds bounds) {
    this.what = what;
    this.bounds = bounds;
    free = new Semaphore(bounds.atOnce(), true);
  }

  /**
   * A turn, once there is one.
   *
   * @param bytes that the request holds while it waits
   * @throws UniserveException with {@link ErrorCode#OVERLOADED} naming the bound that is reached;
   *     nothing of the request has been done
   */
  public Turn take(long bytes) {
    try {
      if (!free.tryAcquire(0, TimeUnit.SECONDS)) {
        await(bytes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "a request that waited was ended", e);
    }
    return free::release;
  }

  private void await(long bytes) throws InterruptedException {
    try {
      // In this order, so that both are given back below whatever is thrown.
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

  /** How many wait. */
  public int waiting() {
    return waiting.get();
  }
}
