package io.uniserve.simulation.queueing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.NaiveLoadBalancing;
import io.uniserve.policy.placement.Podp;
import io.uniserve.policy.placement.PodpSettings;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class QueueRunTest {

  @Test
  void aCoreWorksOnAllAccessesInTurn() {
    // One core; queries 0 and 1 of two ticks arrive at 0, and query 2 of two ticks at 1. Tick 0
    // works on 0; then the queue is 1 0 2. Ticks 1 to 5 work on 1, 0 (ends), 2, 1 (ends), 2.
    Farm farm = Farm.uniform(1, 1, 1, 2);
    QueryMix mix = QueryMix.ranges(1, 1);
    Arrivals arrivals = new Arrivals(new int[] {0, 0, 1}, new int[] {0, 0, 0}, 0);
    Outcome outcome = QueueRun.of(farm, mix, arrivals, on(0));
    assertThat(outcome.latencies()).containsExactly(3, 5, 5);
    assertThat(outcome.queueSizes().percentile(0)).isEqualTo(2);
    assertThat(outcome.queueSizes().percentile(99)).isEqualTo(3);
  }

  @Test
  void aQueryEndsWithItsSlowestAccess() {
    Farm farm = new Farm(2, 2, new int[] {3, 7});
    QueryMix mix = new QueryMix(new int[][] {{0, 1}}, new double[] {1});
    Arrivals arrivals = new Arrivals(new int[] {4}, new int[] {0}, 0);
    assertThat(QueueRun.of(farm, mix, arrivals, on(0, 1)).latencies()).containsExactly(7);
    assertThat(QueueRun.of(farm, mix, arrivals, on(0, 0)).latencies()).containsExactly(7);
  }

  @Test
  void sharesDecideBetweenCopies() {
    Farm farm = Farm.uniform(2, 1, 1, 1);
    QueryMix mix = QueryMix.ranges(1, 1);
    Arrivals arrivals = Arrivals.draw(mix, 0.01, 20_000, 3);
    Routing routing = new Routing(new int[][] {{0, 1}}, new double[][] {{0.25, 1}});
    Outcome outcome = QueueRun.of(farm, mix, arrivals, routing);
    double first = 1 - outcome.queueSizesByServer().get(0).upTo(0);
    double second = 1 - outcome.queueSizesByServer().get(1).upTo(0);
    assertThat(first / (first + second)).isCloseTo(0.25, within(0.02));
  }

  @Test
  void theServerIsAsBusyAsTheRateSays() {
    Farm farm = Farm.uniform(1, 4, 10, 10);
    QueryMix mix = QueryMix.ranges(10, 1);
    Arrivals arrivals = Arrivals.draw(mix, farm.rateFor(0.5, mix), 200_000, 1);
    assertThat(arrivals.ticks()[arrivals.count() - 1] / 200_000.0).isCloseTo(5, within(0.05));
  }

  /** The queues are those of the published simulator at 75 % load. */
  @Test
  void queuesAreAsLongAsInThePublishedSimulator() {
    PlacementPolicy podp = new Podp(PodpSettings.DEFAULT, MilpSolver.none(), Compute.unhurried());
    PlacementPolicy naive =
        new NaiveLoadBalancing(BalanceSettings.DEFAULT, MilpSolver.none(), Compute.unhurried());
    assertThat(queue99(podp)).isEqualTo(16);
    assertThat(queue99(naive)).isBetween(20.0, 24.0);
  }

  private static double queue99(PlacementPolicy policy) {
    Farm farm = Farm.uniform(5, 4, 100, 10);
    QueryMix mix = QueryMix.ranges(100, 3);
    int[] sizes = new int[5];
    for (int seed = 0; seed < sizes.length; seed++) {
      int[] serverOf = Snapshots.randomFill(5, 100, seed);
      Routing routing =
          Routing.of(
              policy.place(Snapshots.of(farm, mix, serverOf, new TreeSet<>())), farm.shards());
      Arrivals arrivals = Arrivals.draw(mix, 0.5, 100_000, seed);
      sizes[seed] = QueueRun.of(farm, mix, arrivals, routing).queueSizes().percentile(99);
    }
    Arrays.sort(sizes);
    return sizes[sizes.length / 2];
  }

  private static Routing on(int... servers) {
    int[][] each = Arrays.stream(servers).mapToObj(one -> new int[] {one}).toArray(int[][]::new);
    double[][] all =
        Arrays.stream(servers).mapToObj(one -> new double[] {1}).toArray(double[][]::new);
    return new Routing(each, all);
  }
}
