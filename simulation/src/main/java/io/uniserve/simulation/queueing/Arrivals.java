package io.uniserve.simulation.queueing;

import java.util.SplittableRandom;

/**
 * The queries of one run, the same for every policy.
 *
 * @param ticks the ticks at which each arrives, ascending
 * @param sets the number of its set in the mix
 * @param seed the seed of the choices among copies
 */
public record Arrivals(int[] ticks, int[] sets, long seed) {

  /**
   * Draws queries: exponential times between arrivals, counted in whole ticks from the start.
   *
   * @param rate queries for each tick
   */
  public static Arrivals draw(QueryMix mix, double rate, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] cumulated = mix.weights().clone();
    for (int set = 1; set < cumulated.length; set++) {
      cumulated[set] += cumulated[set - 1];
    }
    int[] ticks = new int[count];
    int[] sets = new int[count];
    double time = 0;
    for (int query = 0; query < count; query++) {
      time -= Math.log(1 - random.nextDouble()) / rate;
      ticks[query] = (int) time;
      sets[query] = place(cumulated, random.nextDouble() * cumulated[cumulated.length - 1]);
    }
    return new Arrivals(ticks, sets, seed);
  }

  private static int place(double[] cumulated, double value) {
    int low = 0;
    int high = cumulated.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulated[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns how many queries there are. */
  public int count() {
    return ticks.length;
  }

  /** Returns a number in [0, 1) for one access, which decides among copies, whatever the policy. */
  double choice(int query, int shard) {
    long mixed = (seed ^ query * 0x9E3779B97F4A7C15L) + shard * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return ((mixed ^ mixed >>> 31) >>> 11) * 0x1.0p-53;
  }
}
