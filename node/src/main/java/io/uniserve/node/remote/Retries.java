package io.uniserve.node.remote;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The repetition of work that may succeed later: a number of attempts, each after a longer and
 * partly random pause.
 *
 * @param attempts the most attempts
 * @param firstPause the pause before the second attempt; doubled for each further one
 * @param longestPause no pause is longer
 */
public record Retries(int attempts, Duration firstPause, Duration longestPause) {
  /** The default: ten attempts within about 20 s. */
  public static final Retries DEFAULT =
      new Retries(10, Duration.ofMillis(100), Duration.ofSeconds(5));

  /** Returns the result of the first attempt that does not fail with a retryable error. */
  public <T> T run(Supplier<T> work) {
    return run(work, failure -> {});
  }

  /**
   * The same.
   *
   * @param again is told each failure after which there is another attempt
   */
  public <T> T run(Supplier<T> work, Consumer<UniserveException> again) {
    long pause = firstPause.toMillis();
    for (int attempt = 1; ; attempt++) {
      try {
        return work.get();
      } catch (UniserveException e) {
        if (!e.retryable() || attempt == attempts) {
          throw e;
        }
        again.accept(e);
      }
      sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
      pause = Math.min(2 * pause, longestPause.toMillis());
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }
}
