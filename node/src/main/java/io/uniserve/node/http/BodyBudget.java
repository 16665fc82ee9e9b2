package io.uniserve.node.http;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that the bodies of all requests under way may take together. */
final class BodyBudget {
  private static final int SHARE_OF_HEAP = 8;

  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  BodyBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  static BodyBudget ofHeap() {
    return new BodyBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /**
   * Takes a part.
   *
   * @throws UniserveException with {@link ErrorCode#OVERLOADED} if so much is not left
   */
  void take(long bytes) {
    if (taken.addAndGet(bytes) > bytesMax) {
      taken.addAndGet(-bytes);
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          "the bodies of all requests under way have more than " + bytesMax + " bytes");
    }
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** How much is taken. */
  long taken() {
    return taken.get();
  }
}
