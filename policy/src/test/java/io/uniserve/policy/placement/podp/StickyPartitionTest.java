package io.uniserve.policy.placement.podp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.policy.placement.model.Problem;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StickyPartitionTest {

  @Test
  void theHeaviestActorOfAFullPartIsReplicated() {
    double[][] portions =
        StickyPartition.divide(
            problem(2, new double[] {2, 3, 7, 3, 5}), 2, new int[] {0, 0, 0, 1, 1});
    assertThat(portions[0]).containsExactly(1, 0);
    assertThat(portions[1]).containsExactly(1, 0);
    assertThat(portions[2][0]).isCloseTo(5.0 / 7, within(1e-9));
    assertThat(portions[2][1]).isCloseTo(2.0 / 7, within(1e-9));
    assertThat(portions[3]).containsExactly(0, 1);
    assertThat(portions[4]).containsExactly(0, 1);
  }

  @Test
  void partsAreLevelAndTransfersWithinThePapersBound() {
    for (int seed = 0; seed < 500; seed++) {
      RandomGenerator random = new SeededRandom(seed);
      int parts = random.nextInt(2, 8);
      Round round = Round.random(parts, random);
      double[][] portions =
          StickyPartition.divide(problem(parts, round.after()), parts, round.partOf());
      assertLevel(portions, round.after(), seed);
      assertThat(transfers(portions, round.partOf()))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(parts * round.heaviestForChange(parts));
    }
  }

  /** Parts of equal load, before and after the loads of some actors change. */
  private record Round(int[] partOf, double[] before, double[] after) {

    static Round random(int parts, RandomGenerator random) {
      int each = random.nextInt(5, 30);
      double[] loads = random.doubles(each, 0.5, 3).toArray();
      int[] partOf = IntStream.range(0, parts * each).map(actor -> actor / each).toArray();
      double[] before =
          IntStream.range(0, parts * each).mapToDouble(actor -> loads[actor % each]).toArray();
      double[] after =
          Arrays.stream(before)
              .map(load -> random.nextInt(4) == 0 ? load * random.nextDouble(0.5, 1.6) : load)
              .toArray();
      return new Round(partOf, before, after);
    }

    /**
     * Returns the paper's M: the number of the heaviest actors of a part that have more than δ
     * together.
     */
    int heaviestForChange(int parts) {
      double delta =
          IntStream.range(0, parts)
              .mapToDouble(part -> Math.abs(sum(after, part) - sum(before, part)))
              .max()
              .orElseThrow();
      return IntStream.range(0, parts).map(part -> heaviest(part, delta)).max().orElseThrow();
    }

    private double sum(double[] loads, int part) {
      return IntStream.range(0, loads.length)
          .filter(actor -> partOf[actor] == part)
          .mapToDouble(actor -> loads[actor])
          .sum();
    }

    private int heaviest(int part, double delta) {
      List<Double> descending =
          IntStream.range(0, after.length)
              .filter(actor -> partOf[actor] == part)
              .mapToObj(actor -> after[actor])
              .sorted(Comparator.reverseOrder())
              .toList();
      double sum = 0;
      int count = 0;
      while (sum <= delta && count < descending.size()) {
        sum += descending.get(count++);
      }
      return count;
    }
  }

  private static void assertLevel(double[][] portions, double[] loads, int seed) {
    double mean = Arrays.stream(loads).sum() / portions[0].length;
    for (int part = 0; part < portions[0].length; part++) {
      double sum = 0;
      for (int actor = 0; actor < loads.length; actor++) {
        sum += portions[actor][part] * loads[actor];
      }
      assertThat(sum).as("seed %d, part %d", seed, part).isCloseTo(mean, within(mean * 1e-6));
    }
  }

  private static int transfers(double[][] portions, int[] partOf) {
    int transfers = 0;
    for (int actor = 0; actor < portions.length; actor++) {
      for (int part = 0; part < portions[actor].length; part++) {
        transfers += part != partOf[actor] && portions[actor][part] > 0 ? 1 : 0;
      }
    }
    return transfers;
  }

  /** Makes a problem with one server for each part, without memory limits and queries. */
  private static Problem problem(int servers, double[] loads) {
    long[] memory = new long[servers];
    Arrays.fill(memory, Long.MAX_VALUE);
    double mean = Arrays.stream(loads).sum() / servers;
    int[] copies = new int[loads.length];
    Arrays.fill(copies, 1);
    return new Problem(
        new Problem.Servers(memory, mean, mean),
        new Problem.Actors(
            loads,
            new long[loads.length],
            copies,
            new int[loads.length][0],
            new int[loads.length][0]),
        Problem.Queries.none(loads.length),
        new Problem.Names(
            IntStream.range(0, servers).mapToObj(server -> "s" + server).toList(),
            IntStream.range(0, loads.length).mapToObj(actor -> "a" + actor).toList()));
  }
}
