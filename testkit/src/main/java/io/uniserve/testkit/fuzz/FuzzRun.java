package io.uniserve.testkit.fuzz;

import java.time.Duration;
import java.util.Random;

/**
 * A run of cases, which reports how to reproduce a failure. System properties change it: {@code
 * fuzz.seed} runs one case only, {@code fuzz.from} begins with another seed, and {@code
 * fuzz.seconds} sets the duration of every run.
 *
 * @param target its name in {@code ./uniserve fuzz}
 * @param time its duration, unless the properties set another
 * @param casesMax its most cases, unless the properties set another number
 */
public record FuzzRun(String target, Duration time, long casesMax) {
  private static final String SEED = "fuzz.seed";
  private static final String FROM = "fuzz.from";
  private static final String SECONDS = "fuzz.seconds";

  /** Makes a run with a duration and any number of cases. */
  public FuzzRun(String target, Duration time) {
    this(target, time, Long.MAX_VALUE);
  }

  /** Makes a run with a number of cases, which is the same on fast and on busy machines. */
  public static FuzzRun ofCases(String target, long cases) {
    return new FuzzRun(target, Duration.ofHours(1), cases);
  }

  /** A case. */
  @FunctionalInterface
  public interface Case {
    /**
     * Runs the case; throws if it fails.
     *
     * @param random the source of all its choices
     */
    void run(Random random) throws Exception;
  }

  /**
   * Runs cases.
   *
   * @return the number of cases
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
