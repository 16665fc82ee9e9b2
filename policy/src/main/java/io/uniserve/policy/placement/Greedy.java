package io.uniserve.policy.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;
import io.uniserve.policy.placement.search.Balancer;
import io.uniserve.policy.placement.search.HeldCopies;
import io.uniserve.policy.placement.search.SurplusCopies;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Greedy balancing after E-Store, the default of the DPA paper (§4.4): "repeatedly moves the
 * most-loaded actors from the most-loaded servers to the least-loaded servers while also
 * replicating actors whose load exceeds average server load".
 *
 * <p><b>Algorithm.</b> An actor with k times the mean load of a server or less, but more than k - 1
 * times, gets k copies with equal shares. Then the hottest copy of the hottest server goes to the
 * coldest server, until all are within the tolerance. A copy that would leave either server further
 * from the mean than the other was is passed over. Where no whole copy can go, the tolerance is
 * reached by {@link Balancer}, which exchanges and splits.
 *
 * <p><b>Example.</b> Servers a, b, c, loads 8 and 1 on a, 3 on b; mean 4. The 8 gets two copies of
 * 4, the second on c, which is empty; then 1 goes from a to b: 4, 4, 4.
 */
public final class Greedy implements PlacementPolicy {
  private static final double ROUNDING = 1e-9;

  private final BalanceSettings settings;

  public Greedy(BalanceSettings settings) {
    this.settings = settings;
  }

  @Override
  public Placement place(ClusterLoad cluster) {
    Snapshot snapshot = new Snapshot(cluster, settings.loadTolerance());
    Assignment assignment = HeldCopies.of(snapshot.problem());
    SurplusCopies.remove(assignment);
    replicateHot(assignment);
    int stepsMax = snapshot.problem().actors().count() * 2;
    for (int step = 0; step < stepsMax && moveHottest(assignment); step++) {
      continue;
    }
    Balancer.balance(assignment, settings.seed());
    SurplusCopies.remove(assignment);
    return snapshot.placement(assignment);
  }

  private static void replicateHot(Assignment assignment) {
    Problem problem = assignment.problem();
    double mean = problem.servers().meanLoad();
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      double load = problem.actors().load()[actor];
      int copies =
          mean == 0
              ? 1
              : (int) Math.min(problem.servers().count(), Math.ceil(load / mean - ROUNDING));
      while (assignment.serversOf(actor).length < copies && addCopy(assignment, actor)) {
        continue;
      }
    }
  }

  private static boolean addCopy(Assignment assignment, int actor) {
    int[] free =
        IntStream.range(0, assignment.problem().servers().count())
            .filter(server -> !assignment.holds(actor, server))
            .filter(server -> assignment.hasMemory(server, actor))
            .toArray();
    if (free.length == 0) {
      return false;
    }
    int coldest =
        IntStream.of(free)
            .boxed()
            .min(Comparator.comparingDouble(assignment::loadOf))
            .orElseThrow();
    assignment.add(actor, coldest, 0);
    int[] servers = assignment.serversOf(actor);
    for (int server : servers) {
      assignment.addShare(actor, server, 1.0 / servers.length - assignment.shareOf(actor, server));
    }
    return true;
  }

  private static boolean moveHottest(Assignment assignment) {
    int servers = assignment.problem().servers().count();
    Comparator<Integer> byLoad = Comparator.comparingDouble(assignment::loadOf);
    int hottest = IntStream.range(0, servers).boxed().max(byLoad).orElse(-1);
    int coldest = IntStream.range(0, servers).boxed().min(byLoad).orElse(-1);
    if (hottest == coldest || isWithin(assignment, hottest) && isWithin(assignment, coldest)) {
      return false;
    }
    double gap = assignment.loadOf(hottest) - assignment.loadOf(coldest);
    int best = -1;
    for (int actor : assignment.actorsOn(hottest).toArray()) {
      double load = assignment.loadOf(actor, hottest);
      if (load > 0
          && load < gap * (1 - ROUNDING)
          && mayGo(assignment, actor, hottest, coldest)
          && (best < 0 || load > assignment.loadOf(best, hottest))) {
        best = actor;
      }
    }
    if (best >= 0) {
      assignment.move(best, hottest, coldest);
    }
    return best >= 0;
  }

  private static boolean isWithin(Assignment assignment, int server) {
    return assignment.excess(assignment.loadOf(server)) == 0;
  }

  private static boolean mayGo(Assignment assignment, int actor, int from, int to) {
    return !assignment.problem().actors().isPinned(actor, from)
        && !assignment.holds(actor, to)
        && assignment.hasMemory(to, actor);
  }
}
