package io.uniserve.simulation.queueing;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The sets of shards that queries ask for.
 *
 * @param sets sets of shards, ascending
 * @param weights the relative frequency of each, in any unit
 */
public record QueryMix(int[][] sets, double[] weights) {

  /**
   * Returns a mix of every range of consecutive shards of one size, wrapping at the end, equally
   * often.
   */
  public static QueryMix ranges(int shards, int size) {
    int[][] sets =
        IntStream.range(0, shards)
            .mapToObj(first -> range(first, size, shards))
            .toArray(int[][]::new);
    double[] weights = new double[shards];
    Arrays.fill(weights, 1);
    return new QueryMix(sets, weights);
  }

  /**
   * Returns a mix of ranges of which a share begins within the first fifth of the shards: a hotspot
   * (PODP §5.3).
   *
   * @param skew the share, 0 to 1; 0.2 is uniform
   */
  public static QueryMix hotRanges(int shards, int size, double skew) {
    int hot = shards / 5;
    int[][] sets =
        Stream.concat(
                IntStream.range(0, hot).mapToObj(first -> range(first, size, hot)),
                IntStream.range(0, shards - hot)
                    .mapToObj(first -> shifted(range(first, size, shards - hot), hot)))
            .toArray(int[][]::new);
    double[] weights = new double[shards];
    Arrays.fill(weights, 0, hot, skew / hot);
    Arrays.fill(weights, hot, shards, (1 - skew) / (shards - hot));
    return new QueryMix(sets, weights);
  }

  /**
   * Returns a mix of sets drawn at random, all equally often; the order of shards means nothing.
   */
  public static QueryMix randomSets(int shards, int size, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] sets =
        Stream.generate(() -> drawn(shards, size, random)).limit(count).toArray(int[][]::new);
    double[] weights = new double[count];
    Arrays.fill(weights, 1);
    return new QueryMix(sets, weights);
  }

  /** Returns a mix of random sets of which the k-th is asked for in proportion to 1/k. */
  public static QueryMix zipfSets(int shards, int size, int count, long seed) {
    double[] weights = IntStream.rangeClosed(1, count).mapToDouble(rank -> 1.0 / rank).toArray();
    return new QueryMix(randomSets(shards, size, count, seed).sets(), weights);
  }

  /** Returns one mix for some of the queries, and another for the rest. */
  public static QueryMix of(double share, QueryMix one, QueryMix other) {
    double sum = Arrays.stream(one.weights).sum();
    double otherSum = Arrays.stream(other.weights).sum();
    return new QueryMix(
        Stream.concat(Arrays.stream(one.sets), Arrays.stream(other.sets)).toArray(int[][]::new),
        DoubleStream.concat(
                Arrays.stream(one.weights).map(weight -> weight * share / sum),
                Arrays.stream(other.weights).map(weight -> weight * (1 - share) / otherSum))
            .toArray());
  }

  private static int[] range(int first, int size, int shards) {
    return IntStream.range(0, Math.min(size, shards))
        .map(offset -> (first + offset) % shards)
        .sorted()
        .toArray();
  }

  private static int[] shifted(int[] set, int by) {
    return Arrays.stream(set).map(shard -> shard + by).toArray();
  }

  private static int[] drawn(int shards, int size, SplittableRandom random) {
    return random.ints(0, shards).distinct().limit(size).sorted().toArray();
  }

  /** Returns the mean number of ticks that one query takes of all cores together. */
  public double meanTicks(int[] accessTicks) {
    double ticks = 0;
    for (int set = 0; set < sets.length; set++) {
      for (int shard : sets[set]) {
        ticks += weights[set] * accessTicks[shard];
      }
    }
    return ticks / Arrays.stream(weights).sum();
  }

  /** Returns for each shard the mean number of its accesses by one query. */
  public double[] accesses(int shards) {
    double sum = Arrays.stream(weights).sum();
    double[] accesses = new double[shards];
    for (int set = 0; set < sets.length; set++) {
      for (int shard : sets[set]) {
        accesses[shard] += weights[set] / sum;
      }
    }
    return accesses;
  }
}
