package io.uniserve.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the examples in the baselines' papers and Javadoc, computed by hand. */
class BaselinesTest {

  @Test
  void getafixSplitsTheHottestAndFitsTheRestTightly() {
    ClusterLoad cluster =
        new Clusters()
            .servers("a", "b", "c")
            .actor(6, "a")
            .actor(3, "b")
            .actor(2, "c")
            .actor(1, "b")
            .build();
    Placement placed = new Getafix(BalanceSettings.DEFAULT).place(cluster);
    assertThat(copies(placed)).as("copies in all").isEqualTo(5);
    assertThat(placed.of(Clusters.id(0)))
        .extracting(Copy::readShare)
        .satisfiesExactlyInAnyOrder(
            share -> assertThat(share).isCloseTo(2.0 / 3, within(1e-9)),
            share -> assertThat(share).isCloseTo(1.0 / 3, within(1e-9)));
    assertThat(servers(placed, 1)).isEqualTo(servers(placed, 3));
  }

  @Test
  void getafixPlusKeepsApartWhatIsScannedTogether() {
    Clusters clusters = new Clusters().servers("a", "b");
    IntStream.range(0, 4).forEach(actor -> clusters.actor(1, "a"));
    Placement placed =
        new GetafixPlus(BalanceSettings.DEFAULT)
            .place(clusters.query(1, 0, 1).query(1, 2, 3).build());
    assertThat(servers(placed, 0)).isNotEqualTo(servers(placed, 1));
    assertThat(servers(placed, 2)).isNotEqualTo(servers(placed, 3));
  }

  @Test
  void greedyReplicatesTheHotAndMovesTheHottest() {
    ClusterLoad cluster =
        new Clusters().servers("a", "b", "c").actor(8, "a").actor(1, "a").actor(3, "b").build();
    Placement placed = new Greedy(BalanceSettings.DEFAULT).place(cluster);
    assertThat(servers(placed, 0)).containsExactly("a", "c");
    assertThat(servers(placed, 1)).containsExactly("b");
    assertThat(servers(placed, 2)).containsExactly("b");
    assertThat(placed.reasons()).containsOnlyKeys(Clusters.id(0), Clusters.id(1));
    assertThat(placed.reasons().get(Clusters.id(1)))
        .isEqualTo("comes to b from a: a had 2.25 times the mean load");
  }

  @Test
  void naiveBalancingMovesOnceWhereOnceIsEnough() {
    ClusterLoad cluster =
        new Clusters()
            .servers("a", "b")
            .actor(4, "a")
            .actor(3, "a")
            .actor(3, "a")
            .actor(2, "b")
            .build();
    Placement placed =
        new NaiveLoadBalancing(BalanceSettings.DEFAULT, MilpSolver.none(), Compute.unhurried())
            .place(cluster);
    assertThat(servers(placed, 0)).containsExactly("b");
    assertThat(placed.reasons()).containsOnlyKeys(Clusters.id(0));
  }

  @Test
  void aCooledActorLosesItsCopies() {
    ClusterLoad cluster =
        new Clusters().servers("a", "b").actor(1, "a", "b").actor(1, "a").actor(2, "b").build();
    Placement placed = new Greedy(BalanceSettings.DEFAULT).place(cluster);
    assertThat(servers(placed, 0)).containsExactly("a");
    assertThat(placed.reasons().get(Clusters.id(0)))
        .isEqualTo("leaves b: fewer copies serve its load");
  }

  private static int copies(Placement placed) {
    return placed.copies().values().stream().mapToInt(List::size).sum();
  }

  private static List<String> servers(Placement placed, int actor) {
    return placed.of(Clusters.id(actor)).stream().map(Copy::server).toList();
  }
}
