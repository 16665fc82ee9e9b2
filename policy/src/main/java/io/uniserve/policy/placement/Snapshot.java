package io.uniserve.policy.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.ClusterLoad.QuerySet;
import io.uniserve.api.policy.ClusterLoad.ServerLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.Constraints;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A snapshot of the cluster as a problem in numbers, and the way back to names. */
final class Snapshot {
  /**
   * The most query sets that are kept, the most frequent ones. More would cost memory and time and
   * change little.
   */
  private static final int QUERY_SETS_MAX = 20_000;

  private static final double ROUNDING = 1e-9;

  private final ClusterLoad cluster;
  private final List<String> servers;
  private final List<ActorId> actors;
  private final TreeMap<String, Integer> serverNumbers = new TreeMap<>();
  private final TreeMap<ActorId, Integer> actorNumbers = new TreeMap<>();
  private final Problem problem;

  /**
   * Reads a snapshot.
   *
   * @param tolerance ε as a share of the mean load
   * @throws InfeasibleException if sums of memory or load show that no assignment can meet all
   *     constraints
   */
  Snapshot(ClusterLoad cluster, double tolerance) {
    this.cluster = cluster;
    servers =
        cluster.servers().entrySet().stream()
            .filter(server -> !server.getValue().draining())
            .map(SortedMap.Entry::getKey)
            .toList();
    actors = List.copyOf(cluster.actors().keySet());
    servers.forEach(server -> serverNumbers.put(server, serverNumbers.size()));
    actors.forEach(actor -> actorNumbers.put(actor, actorNumbers.size()));
    Problem.Actors actorSide = actorSide();
    problem =
        new Problem(
            serverSide(Arrays.stream(actorSide.load()).sum(), tolerance),
            actorSide,
            querySide(),
            new Problem.Names(servers, actors.stream().map(ActorId::toString).toList()));
    Constraints.requireSatisfiable(problem);
  }

  Problem problem() {
    return problem;
  }

  private Problem.Servers serverSide(double load, double tolerance) {
    long[] memory =
        servers.stream()
            .map(cluster.servers()::get)
            .mapToLong(ServerLoad::memoryBytesMax)
            .map(max -> max == 0 ? Long.MAX_VALUE : max)
            .toArray();
    double mean = servers.isEmpty() ? 0 : load / servers.size();
    double slack = mean * (tolerance + ROUNDING);
    return new Problem.Servers(memory, mean - slack, mean + slack);
  }

  private Problem.Actors actorSide() {
    List<ActorLoad> loads = List.copyOf(cluster.actors().values());
    return new Problem.Actors(
        loads.stream().mapToDouble(ActorLoad::cost).toArray(),
        loads.stream().mapToLong(actor -> actor.usage().memoryBytes()).toArray(),
        loads.stream()
            .mapToInt(actor -> Math.min(Math.max(1, actor.replicas()), servers.size()))
            .toArray(),
        loads.stream().map(actor -> numbers(actor.copies())).toArray(int[][]::new),
        IntStream.range(0, loads.size())
            .mapToObj(actor -> pins(actors.get(actor), loads.get(actor)))
            .toArray(int[][]::new));
  }

  private int[] numbers(List<String> names) {
    return names.stream()
        .filter(serverNumbers::containsKey)
        .distinct()
        .mapToInt(serverNumbers::get)
        .toArray();
  }

  private int[] pins(ActorId id, ActorLoad actor) {
    for (String server : actor.pins()) {
      if (!serverNumbers.containsKey(server)) {
        String why = cluster.servers().containsKey(server) ? "drains" : "is not there";
        throw InfeasibleException.pins(
            "actor %s is pinned to %s, which %s".formatted(id, server, why));
      }
    }
    return numbers(List.copyOf(actor.pins()));
  }

  private Problem.Queries querySide() {
    List<QuerySet> kept =
        cluster.queries().stream()
            .filter(set -> set.frequency() > 0 && known(set).length > 0)
            .sorted(Comparator.comparingDouble(QuerySet::frequency).reversed())
            .limit(QUERY_SETS_MAX)
            .toList();
    return Problem.Queries.of(
        actors.size(),
        kept.stream().map(this::known).toArray(int[][]::new),
        kept.stream().mapToDouble(QuerySet::frequency).toArray());
  }

  private int[] known(QuerySet set) {
    return set.actors().stream()
        .filter(actorNumbers::containsKey)
        .mapToInt(actorNumbers::get)
        .sorted()
        .distinct()
        .toArray();
  }

  /** Returns a solution with names and reasons. */
  Placement placement(Assignment assignment) {
    List<String> broken = Constraints.violations(assignment);
    if (!broken.isEmpty()) {
      throw new IllegalStateException("a policy broke " + broken);
    }
    Reasons reasons = new Reasons(cluster, problem, assignment);
    SortedMap<ActorId, List<Copy>> copies = new TreeMap<>();
    SortedMap<ActorId, String> why = new TreeMap<>();
    for (int actor = 0; actor < actors.size(); actor++) {
      copies.put(actors.get(actor), copies(actor, assignment));
      if (changes(actor, assignment)) {
        why.put(actors.get(actor), reasons.of(actors.get(actor), actor));
      }
    }
    return new Placement(copies, why, summary(assignment));
  }

  private boolean changes(int actor, Assignment assignment) {
    TreeSet<String> after = new TreeSet<>();
    for (int server : assignment.serversOf(actor)) {
      after.add(servers.get(server));
    }
    return !after.equals(new TreeSet<>(cluster.actors().get(actors.get(actor)).copies()));
  }

  /**
   * Returns the copies that stay, in their order, so that a primary stays primary; then the new
   * ones.
   */
  private List<Copy> copies(int actor, Assignment assignment) {
    List<Copy> copies = new ArrayList<>();
    for (int server : problem.actors().held()[actor]) {
      if (assignment.holds(actor, server)) {
        copies.add(new Copy(servers.get(server), assignment.shareOf(actor, server)));
      }
    }
    for (int server : assignment.serversOf(actor)) {
      if (!problem.actors().holds(actor, server)) {
        copies.add(new Copy(servers.get(server), assignment.shareOf(actor, server)));
      }
    }
    return copies;
  }

  private String summary(Assignment assignment) {
    double most =
        IntStream.range(0, servers.size()).mapToDouble(assignment::loadOf).max().orElse(0);
    double mean = problem.servers().meanLoad();
    return String.format(
        Locale.ROOT,
        "mean clustering %.3f, greatest load %.3f of the mean, %d %s",
        new Clustering(assignment).mean(),
        mean == 0 ? 1 : most / mean,
        assignment.moves(),
        assignment.moves() == 1 ? "move" : "moves");
  }
}
