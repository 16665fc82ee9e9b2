package io.uniserve.node;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.function.Supplier;

/** The patience of a caller who asks again for as long as servers open their copies. */
public final class Patience {
  private Patience() {}

  /** Asks until there is an answer, or a failure that asking again does not mend. */
  public static <T> T ask(Supplier<T> question, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      try {
        return question.get();
      } catch (UniserveException e) {
        if (!e.retryable() || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }
}
