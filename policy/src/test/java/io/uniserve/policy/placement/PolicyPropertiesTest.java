package io.uniserve.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.podp.Compute;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests on random clusters that a policy meets the constraints, or names one that cannot be met,
 * and answers the same again.
 */
class PolicyPropertiesTest {
  private static final int CLUSTERS = 150;
  private static final double TOLERANCE = BalanceSettings.DEFAULT.loadTolerance();

  static List<PlacementPolicy> policies() {
    return List.of(
        new Greedy(BalanceSettings.DEFAULT),
        new NaiveLoadBalancing(BalanceSettings.DEFAULT, MilpSolver.none(), Compute.unhurried()),
        new Getafix(BalanceSettings.DEFAULT),
        new GetafixPlus(BalanceSettings.DEFAULT),
        new Podp(PodpSettings.DEFAULT, MilpSolver.none(), Compute.unhurried()),
        new Podp(
            new PodpSettings(BalanceSettings.DEFAULT, 3, 0),
            MilpSolver.none(),
            Compute.unhurried()));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void constraintsHoldOrTheOneThatCannotIsNamed(PlacementPolicy policy) {
    int solved = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      ClusterLoad cluster = Clusters.random(new SeededRandom(seed));
      try {
        assertHolds(cluster, policy.place(cluster), "seed " + seed);
        solved++;
      } catch (InfeasibleException e) {
        assertThat(e).hasMessageMatching("(servers|pins|memory|load tolerance): .+");
      }
    }
    assertThat(solved).isGreaterThan(CLUSTERS * 2 / 3);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theSameClusterGetsTheSameAnswer(PlacementPolicy policy) {
    for (int seed = 0; seed < CLUSTERS / 10; seed++) {
      ClusterLoad cluster = Clusters.ranges(6, 36, 3, new SeededRandom(seed));
      assertThat(policy.place(cluster)).isEqualTo(policy.place(cluster));
    }
  }

  private static void assertHolds(ClusterLoad cluster, Placement placement, String seed) {
    assertThat(placement.copies().keySet()).as(seed).isEqualTo(cluster.actors().keySet());
    Map<String, Double> loads = new TreeMap<>();
    Map<String, Long> memory = new TreeMap<>();
    cluster.servers().keySet().stream()
        .filter(server -> !cluster.servers().get(server).draining())
        .forEach(server -> loads.put(server, 0.0));
    placement
        .copies()
        .forEach((id, copies) -> assertHolds(cluster, id, copies, loads, memory, seed));
    double mean = loads.values().stream().mapToDouble(Double::doubleValue).sum() / loads.size();
    loads.forEach(
        (server, load) ->
            assertThat(load)
                .as("%s, load of %s", seed, server)
                .isCloseTo(mean, within(mean * (TOLERANCE + 1e-6))));
    memory.forEach((server, bytes) -> assertFits(cluster, server, bytes, seed));
  }

  private static void assertHolds(
      ClusterLoad cluster,
      ActorId id,
      List<Copy> copies,
      Map<String, Double> loads,
      Map<String, Long> memory,
      String seed) {
    ActorLoad actor = cluster.actors().get(id);
    String what = seed + ", actor " + id;
    List<String> servers = copies.stream().map(Copy::server).toList();
    assertThat(servers).as(what).doesNotHaveDuplicates().isSubsetOf(loads.keySet());
    assertThat(servers).as(what).containsAll(actor.pins());
    assertThat(servers.size())
        .as(what)
        .isGreaterThanOrEqualTo(Math.min(actor.replicas(), loads.size()));
    assertThat(copies).as(what).allMatch(copy -> copy.readShare() > -1e-6);
    assertThat(copies.stream().mapToDouble(Copy::readShare).sum())
        .as(what)
        .isCloseTo(1, within(1e-6));
    for (Copy copy : copies) {
      loads.merge(copy.server(), copy.readShare() * actor.cost(), Double::sum);
      memory.merge(copy.server(), actor.usage().memoryBytes(), Long::sum);
    }
  }

  private static void assertFits(ClusterLoad cluster, String server, long bytes, String seed) {
    long max = cluster.servers().get(server).memoryBytesMax();
    if (max > 0) {
      assertThat(bytes).as("%s, memory of %s", seed, server).isLessThanOrEqualTo(max);
    }
  }
}
