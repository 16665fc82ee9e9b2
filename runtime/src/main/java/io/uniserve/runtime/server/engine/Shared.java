package io.uniserve.runtime.server.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A resource in use by several. It is closed when it has been retired and its last user has
 * released it. So an actor can be replaced while queries read the former one.
 *
 * @param <T> the resource
 */
public final class Shared<T> {
  private final T value;
  private final Runnable close;
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * @param close releases what the resource holds; called by its last user, who cannot handle a
   *     failure
   */
  public Shared(T value, Runnable close) {
    this.value = value;
    this.close = close;
  }

  /** Returns the resource. The caller must have acquired it. */
  public T value() {
    return value;
  }

  /**
   * Keeps the resource from being closed; returns false if that is too late. {@link #release} must
   * follow.
   */
  public boolean acquire() {
    int now = users.get();
    while (now > 0 && !users.compareAndSet(now, now + 1)) {
      now = users.get();
    }
    return now > 0;
  }

  /** Releases the resource, and closes it if nobody else uses it. */
  public void release() {
    if (users.decrementAndGet() == 0) {
      close.run();
    }
  }

  /** Lets no new users in. Called once. */
  public void retire() {
    release();
  }
}
