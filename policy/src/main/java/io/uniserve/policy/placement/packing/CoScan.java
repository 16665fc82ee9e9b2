package io.uniserve.policy.placement.packing;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;
import java.util.Arrays;

/**
 * Druid's cost of a copy on a server, as PODP §5.1 describes it for Getafix+: how likely it is that
 * the actor and any other on that server are scanned by one query; here the frequency of such
 * queries, summed over the server's actors.
 */
public final class CoScan implements Packing.Choice {
  private final Problem.Queries queries;
  private final double[] costs;

  /** Makes the cost for one problem. Only one packing may use it at a time. */
  public CoScan(Problem problem) {
    queries = problem.queries();
    costs = new double[problem.servers().count()];
  }

  @Override
  public double[] costs(Assignment assignment, int actor) {
    Arrays.fill(costs, 0);
    for (int set : queries.setsOf()[actor]) {
      for (int other : queries.sets()[set]) {
        if (other != actor) {
          for (int server : assignment.serversOf(other)) {
            costs[server] += queries.frequency()[set];
          }
        }
      }
    }
    return costs;
  }
}
