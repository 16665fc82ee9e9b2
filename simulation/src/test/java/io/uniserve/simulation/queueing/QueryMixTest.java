package io.uniserve.simulation.queueing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QueryMixTest {

  @Test
  void rangesWrapAndReadEveryShardAlike() {
    QueryMix mix = QueryMix.ranges(5, 3);
    assertThat(mix.sets()[4]).containsExactly(0, 1, 4);
    assertThat(mix.accesses(5))
        .containsExactly(new double[] {0.6, 0.6, 0.6, 0.6, 0.6}, within(1e-9));
    assertThat(mix.meanTicks(new int[] {1, 1, 1, 1, 6})).isCloseTo(6, within(1e-9));
  }

  @Test
  void theHotFifthGetsItsShare() {
    double[] accesses = QueryMix.hotRanges(100, 3, 0.8).accesses(100);
    double hot = Arrays.stream(accesses, 0, 20).sum();
    assertThat(hot / Arrays.stream(accesses).sum()).isCloseTo(0.8, within(1e-9));
    assertThat(QueryMix.hotRanges(100, 3, 0.2).accesses(100)[50]).isCloseTo(0.03, within(1e-9));
  }

  @Test
  void arrivalsAskForSetsByTheirWeights() {
    QueryMix mix = QueryMix.zipfSets(50, 4, 10, 1);
    Arrivals arrivals = Arrivals.draw(mix, 1, 50_000, 2);
    long first = Arrays.stream(arrivals.sets()).filter(set -> set == 0).count();
    long tenth = Arrays.stream(arrivals.sets()).filter(set -> set == 9).count();
    assertThat(first / (double) tenth).isCloseTo(10, within(1.0));
  }

  @Test
  void fillsAreEvenAndUnbiased() {
    double place = 0;
    for (int seed = 0; seed < 200; seed++) {
      int[] serverOf = Snapshots.randomFill(5, 100, seed);
      assertThat(Arrays.stream(serverOf).filter(server -> server == 4)).hasSize(20);
      place += lastServersMeanShard(serverOf) / 200;
    }
    assertThat(place).as("shards of the last server are not the last ones").isBetween(48.0, 51.0);
  }

  private static double lastServersMeanShard(int[] serverOf) {
    double sum = 0;
    for (int shard = 0; shard < serverOf.length; shard++) {
      sum += serverOf[shard] == 4 ? shard / 20.0 : 0;
    }
    return sum;
  }
}
