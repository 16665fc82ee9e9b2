package io.uniserve.api.policy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import java.util.List;
import java.util.SortedMap;

/**
 * What a policy sees of the cluster (DPA §4.4: query load, memory and disk of each actor, and where
 * it is).
 *
 * @param servers every server that is alive, by name
 * @param actors every actor
 */
public record ClusterLoad(
    SortedMap<String, ServerLoad> servers, SortedMap<ActorId, ActorLoad> actors) {

  /**
   * One server.
   *
   * @param cpuUtilization 0 to 1
   * @param usage what its actors occupy
   * @param memoryBytesMax the memory that actors may occupy; 0 if not limited
   */
  public record ServerLoad(double cpuUtilization, Usage usage, long memoryBytesMax) {}

  /**
   * One actor.
   *
   * @param replicas how many copies its table asks for
   * @param cost summed cost of its operators, a second (DPA §4.4 "query load")
   * @param usage of one copy
   * @param copies the servers that hold it now, the primary first
   */
  public record ActorLoad(int replicas, double cost, Usage usage, List<String> copies) {}
}
