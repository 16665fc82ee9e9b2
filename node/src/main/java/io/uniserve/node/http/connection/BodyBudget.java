package io.uniserve.node.http.connection;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that the bodies of all requests under way may take together. */
public final class BodyBudget {
  private static final int SHARE_OF_HEAP = 8;

  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  public BodyBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  public static BodyBudget ofHeap() {
    return new BodyBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /**
   * Takes a part.
   *
   * @throws UniserveException with {@link ErrorCode#OVERLOADED} if not enough is left
   */
  public void take(long bytes) {
    if (taken.addAndGet(bytes) > bytesMax) {
      taken.addAndGet(-bytes);
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          "the bodies of all requests under way have more than " + bytesMax + " bytes");
    }
  }

  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Returns how much is taken. */
  public long taken() {
    return taken.get();
  }
}
