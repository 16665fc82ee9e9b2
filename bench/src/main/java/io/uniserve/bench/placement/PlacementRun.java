package io.uniserve.bench.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.QuerySet;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The measurements of a policy.
 *
 * @param seconds the duration of each repetition, the first without warm-up
 * @param clustering the mean clustering, weighted by frequency
 * @param moves the number of copies on servers that did not have the actor before
 */
record PlacementRun(List<Double> seconds, double clustering, int moves) {
  private static final double NANOS_PER_SECOND = 1e9;

  static PlacementRun of(PlacementPolicy policy, ClusterLoad cluster, int repetitions) {
    List<Double> seconds = new ArrayList<>();
    Placement placement = null;
    for (int repetition = 0; repetition < repetitions; repetition++) {
      long begin = System.nanoTime();
      placement = policy.place(cluster);
      seconds.add((System.nanoTime() - begin) / NANOS_PER_SECOND);
    }
    return new PlacementRun(seconds, clustering(cluster, placement), moves(cluster, placement));
  }

  double median() {
    return seconds.stream().sorted().toList().get(seconds.size() / 2);
  }

  private static double clustering(ClusterLoad cluster, Placement placement) {
    double sum = 0;
    double frequencies = 0;
    for (QuerySet set : cluster.queries()) {
      TreeMap<String, Integer> counts = new TreeMap<>();
      for (ActorId actor : set.actors()) {
        placement.of(actor).forEach(copy -> counts.merge(copy.server(), 1, Integer::sum));
      }
      sum += set.frequency() * counts.values().stream().max(Integer::compare).orElse(1);
      frequencies += set.frequency();
    }
    return sum / frequencies;
  }

  private static int moves(ClusterLoad cluster, Placement placement) {
    int moves = 0;
    for (ActorId actor : cluster.actors().keySet()) {
      for (Copy copy : placement.of(actor)) {
        moves += cluster.actors().get(actor).copies().contains(copy.server()) ? 0 : 1;
      }
    }
    return moves;
  }
}
