package io.uniserve.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodpTest {
  private static final int SERVERS = 3;
  private static final int ACTORS = 6;

  @Test
  void noAssignmentOfSmallClustersIsLessClustered() {
    for (int seed = 0; seed < 60; seed++) {
      ClusterLoad cluster = small(new SeededRandom(seed));
      double found = clustering(cluster, serversOf(podp(1, 0.8).place(cluster)));
      assertThat(found).as("seed %d", seed).isCloseTo(least(cluster), within(1e-9));
    }
  }

  @Test
  void consecutiveRangesGetAServerForEachActor() {
    ClusterLoad cluster = Clusters.ranges(5, 100, 3, new SeededRandom(1));
    Placement placed = podp(0, 0.8).place(cluster);
    assertThat(clustering(cluster, serversOf(placed))).isEqualTo(1);
    assertThat(placed.reasons().size()).as("moves").isLessThan(50);
    assertThat(placed.reasons().values())
        .anyMatch(why -> why.matches("comes to s\\d+ from s\\d+: its queries also read .+"));
  }

  @Test
  void aSecondRoundMovesNothing() {
    ClusterLoad cluster = Clusters.ranges(12, 72, 4, new SeededRandom(2));
    Placement first = podp(3, 0.8).place(cluster);
    assertThat(podp(3, 0.8).place(after(cluster, first)).reasons()).isEmpty();
  }

  @Test
  void isNeverMoreClusteredThanGetafixPlus() {
    for (int seed = 0; seed < 10; seed++) {
      RandomGenerator random = new SeededRandom(seed);
      Clusters clusters = new Clusters().servers("a", "b", "c", "d", "e", "f");
      for (int actor = 0; actor < 48; actor++) {
        clusters.actor(random.nextDouble(0.5, 2));
      }
      for (int set = 0; set < 60; set++) {
        clusters.query(
            1.0 / (set + 1), random.ints(0, 48).distinct().limit(random.nextInt(2, 9)).toArray());
      }
      ClusterLoad cluster = clusters.build();
      Placement packed = new GetafixPlus(BalanceSettings.DEFAULT).place(cluster);
      assertThat(clusteringOfCopies(cluster, podp(0, 0.8).place(cluster)))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(clusteringOfCopies(cluster, packed) + 1e-9);
    }
  }

  private static Podp podp(int parts, double regroupBelow) {
    return new Podp(
        new PodpSettings(BalanceSettings.DEFAULT, parts, regroupBelow),
        MilpSolver.none(),
        Compute.unhurried());
  }

  private static ClusterLoad small(RandomGenerator random) {
    Clusters clusters = new Clusters().servers("a", "b", "c");
    for (int actor = 0; actor < ACTORS; actor++) {
      clusters.actor(1, "abc".substring(actor % 3, actor % 3 + 1));
    }
    for (int set = 0; set < 5; set++) {
      clusters.query(
          random.nextDouble(0.5, 2),
          random.ints(0, ACTORS).distinct().limit(random.nextInt(2, 5)).toArray());
    }
    return clusters.build();
  }

  /** Returns the least clustering of all assignments with two actors on each server. */
  private static double least(ClusterLoad cluster) {
    double least = Double.POSITIVE_INFINITY;
    for (int number = 0; number < Math.pow(SERVERS, ACTORS); number++) {
      int[] servers = new int[ACTORS];
      int[] held = new int[SERVERS];
      int rest = number;
      for (int actor = 0; actor < ACTORS; actor++) {
        servers[actor] = rest % SERVERS;
        held[servers[actor]]++;
        rest /= SERVERS;
      }
      if (IntStream.of(held).allMatch(count -> count == ACTORS / SERVERS)) {
        least = Math.min(least, clustering(cluster, servers));
      }
    }
    return least;
  }

  private static double clustering(ClusterLoad cluster, int[] servers) {
    double sum = 0;
    double frequencies = 0;
    for (ClusterLoad.QuerySet set : cluster.queries()) {
      TreeMap<Integer, Integer> counts = new TreeMap<>();
      set.actors().forEach(actor -> counts.merge(servers[actor.number()], 1, Integer::sum));
      sum += set.frequency() * counts.values().stream().max(Integer::compare).orElseThrow();
      frequencies += set.frequency();
    }
    return sum / frequencies;
  }

  private static double clusteringOfCopies(ClusterLoad cluster, Placement placed) {
    double sum = 0;
    for (ClusterLoad.QuerySet set : cluster.queries()) {
      TreeMap<String, Integer> counts = new TreeMap<>();
      set.actors()
          .forEach(
              actor ->
                  placed.of(actor).forEach(copy -> counts.merge(copy.server(), 1, Integer::sum)));
      sum += set.frequency() * counts.values().stream().max(Integer::compare).orElseThrow();
    }
    return sum;
  }

  private static int[] serversOf(Placement placed) {
    List<String> names =
        placed.copies().values().stream()
            .flatMap(List::stream)
            .map(Copy::server)
            .distinct()
            .sorted()
            .toList();
    return placed.copies().values().stream()
        .mapToInt(copies -> names.indexOf(copies.getFirst().server()))
        .toArray();
  }

  private static ClusterLoad after(ClusterLoad cluster, Placement placed) {
    TreeMap<ActorId, ClusterLoad.ActorLoad> actors = new TreeMap<>();
    cluster
        .actors()
        .forEach(
            (id, actor) ->
                actors.put(
                    id,
                    new ClusterLoad.ActorLoad(
                        actor.replicas(),
                        actor.cost(),
                        actor.usage(),
                        placed.of(id).stream().map(Copy::server).toList())));
    return new ClusterLoad(cluster.servers(), actors, cluster.queries());
  }
}
