package io.uniserve.runtime.control.load;

import io.uniserve.api.policy.ClusterLoad;
import java.util.TreeMap;

/**
 * The skew of load among servers, if each actor's copies bear equal shares.
 *
 * @param greatest load of a server, in worker threads
 * @param mean load of a server
 */
public record LoadSkew(double greatest, double mean) {

  public static LoadSkew of(ClusterLoad cluster) {
    TreeMap<String, Double> loads = new TreeMap<>();
    cluster.servers().keySet().forEach(server -> loads.put(server, 0.0));
    for (ClusterLoad.ActorLoad actor : cluster.actors().values()) {
      for (String server : actor.copies()) {
        loads.merge(server, actor.cost() / actor.copies().size(), Double::sum);
      }
    }
    double sum = loads.values().stream().mapToDouble(Double::doubleValue).sum();
    double greatest = loads.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return new LoadSkew(greatest, loads.isEmpty() ? 0 : sum / loads.size());
  }

  /**
   * @param loadMin the least load, in worker threads
   * @param timesMean the load, as a multiple of the mean
   */
  public boolean exceeds(double loadMin, double timesMean) {
    return greatest >= loadMin && greatest >= mean * timesMean;
  }
}
