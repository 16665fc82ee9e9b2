package io.uniserve.testkit.fuzz;

import java.time.Duration;
import java.util.Random;

/**
 * Runs cases for a while and tells how to see a failure again. System properties change what it
 * does: {@code fuzz.seed} runs one case only, {@code fuzz.from} begins with another seed, {@code
 * fuzz.seconds} makes every run last so long.
 *
 * @param target what {@code ./uniserve fuzz} calls it
 * @param time how long it lasts unless the properties say otherwise
 * @param casesMax how many cases it has at most unless the properties say otherwise
 */
public record FuzzRun(String target, Duration time, long casesMax) {
  private static final String SEED = "fuzz.seed";
  private static final String FROM = "fuzz.from";
  private static final String SECONDS = "fuzz.seconds";

  /** A run that lasts a while, of however many cases. */
  public FuzzRun(String target, Duration time) {
    this(target, time, Long.MAX_VALUE);
  }

  /** A run of so many cases, the same on a fast machine and on a busy one. */
  public static FuzzRun ofCases(String target, long cases) {
    return new FuzzRun(target, Duration.ofHours(1), cases);
  }

  /** One case. */
  @FunctionalInterface
  public interface Case {
    /**
     * Runs it; throws if it does not hold.
     *
     * @param random where all its choices come from
     */
    void run(Random random) throws Exception;
  }

  /**
   * Runs cases.
   *
   * @return how many
   * @throws AssertionError for the first that fails, with the command that repeats it
   */
  public long run(Case one) {
    Long only = Long.getLong(SEED);
    if (only != null) {
      run(one, only);
      return 1;
    }
    long first = Long.getLong(FROM, 0);
    long seconds = Long.getLong(SECONDS, 0);
    long end = System.nanoTime() + (seconds > 0 ? Duration.ofSeconds(seconds) : time).toNanos();
    long seed = first;
    while (System.nanoTime() - end < 0 && (seconds > 0 || seed - first < casesMax)) {
      run(one, seed++);
    }
    return seed - first;
  }

  private void run(Case one, long seed) {
    try {
      one.run(new Random(seed * 0x9E3779B97F4A7C15L));
    } catch (Exception | Error e) {
      throw new AssertionError(
          "case " + seed + " fails; again: ./uniserve fuzz " + target + " --seed " + seed, e);
    }
  }
}
