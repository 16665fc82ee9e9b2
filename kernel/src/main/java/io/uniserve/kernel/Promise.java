package io.uniserve.kernel;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A value, or a failure, that another thread will provide. Only the first outcome counts.
 *
 * @param <T> the value
 */
public final class Promise<T> {
  private record Outcome<T>(T value, UniserveException failure) {}

  private final Signal signal;
  private final AtomicReference<Outcome<T>> outcome = new AtomicReference<>();

  /** Makes a promise without an outcome. */
  public Promise(Threads threads) {
    signal = threads.signal();
  }

  /** Sets the value; returns false if there already was an outcome. */
  public boolean complete(T value) {
    return settle(new Outcome<>(value, null));
  }

  /** Sets a failure; returns false if there already was an outcome. */
  public boolean fail(UniserveException failure) {
    return settle(new Outcome<>(null, failure));
  }

  /** Returns whether there is an outcome. */
  public boolean isDone() {
    return outcome.get() != null;
  }

  /**
   * Waits for the outcome.
   *
   * @param the expected value, for the message
   * @throws UniserveException the failure; or with {@link ErrorCode#DEADLINE_EXCEEDED}; or with
   *     {@link ErrorCode#CANCELLED} if the waiting thread is interrupted, whose interrupt status is
   *     kept
   */
  public T await(Deadline deadline, String what) {
    if (!awaitSignal(deadline, what)) {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED, what + ": no answer before the deadline");
    }
    Outcome<T> settled = outcome.get();
    if (settled.failure != null) {
      throw settled.failure;
    }
    return settled.value;
  }

  private boolean awaitSignal(Deadline deadline, String what) {
    try {
      return signal.await(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, what + ": interrupted", e);
    }
  }

  private boolean settle(Outcome<T> candidate) {
    boolean first = outcome.compareAndSet(null, candidate);
    if (first) {
      signal.set();
    }
    return first;
  }
}
