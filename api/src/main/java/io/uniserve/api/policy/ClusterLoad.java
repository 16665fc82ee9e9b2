package io.uniserve.api.policy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What a policy sees of the cluster (DPA §4.4: query load, memory and disk of each actor, and where
 * it is; PODP §3.1: which actors are queried together).
 *
 * @param servers every server that is alive, by name
 * @param actors every actor
 * @param queries the most popular sets of actors that one query reads, with their frequencies;
 *     empty if they are not known
 */
public record ClusterLoad(
    SortedMap<String, ServerLoad> servers,
    SortedMap<ActorId, ActorLoad> actors,
    List<QuerySet> queries) {

  /** A cluster of whose queries nothing is known. */
  public ClusterLoad(SortedMap<String, ServerLoad> servers, SortedMap<ActorId, ActorLoad> actors) {
    this(servers, actors, List.of());
  }

  /**
   * One server.
   *
   * @param cpuUtilization 0 to 1
   * @param usage what its actors occupy
   * @param memoryBytesMax the memory that actors may occupy; 0 if not limited
   * @param draining whether it is about to leave: no copy may stay or come here
   */
  public record ServerLoad(
      double cpuUtilization, Usage usage, long memoryBytesMax, boolean draining) {

    /** A server that stays. */
    public ServerLoad(double cpuUtilization, Usage usage, long memoryBytesMax) {
      this(cpuUtilization, usage, memoryBytesMax, false);
    }
  }

  /**
   * One actor.
   *
   * @param replicas how many copies its table asks for
   * @param cost summed cost of its operators, a second (DPA §4.4 "query load")
   * @param usage of one copy
   * @param copies the servers that hold it now, the primary first
   * @param pins servers that must hold a copy, each of them in the snapshot; further copies may be
   *     anywhere
   */
  public record ActorLoad(
      int replicas, double cost, Usage usage, List<String> copies, SortedSet<String> pins) {

    /** An actor that may be anywhere. */
    public ActorLoad(int replicas, double cost, Usage usage, List<String> copies) {
      this(replicas, cost, usage, copies, Collections.emptySortedSet());
    }
  }

  /**
   * Actors that one query reads together (PODP §3.1, a shard set s and its f_s).
   *
   * @param actors which, each once; those not in the snapshot are passed over
   * @param frequency how often, in any unit that is the same for all sets
   */
  public record QuerySet(List<ActorId> actors, double frequency) {}
}
