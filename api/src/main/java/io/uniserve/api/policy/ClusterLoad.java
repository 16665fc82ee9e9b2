package io.uniserve.api.policy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The snapshot of a cluster that a policy sees (DPA §4.4: query load, memory and disk of each
 * actor, and its servers; PODP §3.1: the actors that are queried together).
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

  /** Makes a snapshot without knowledge of queries. */
  public ClusterLoad(SortedMap<String, ServerLoad> servers, SortedMap<ActorId, ActorLoad> actors) {
    this(servers, actors, List.of());
  }

  /**
   * * The load of one server.
   *
   * @param cpuUtilization the used part of its CPUs, 0 to 1
   * @param usage the space that its actors occupy
   * @param memoryBytesMax the memory that actors may occupy; 0 if not limited
   * @param draining true if the server is about to leave: no copy may stay or be placed here
   */
  public record ServerLoad(
      double cpuUtilization, Usage usage, long memoryBytesMax, boolean draining) {

    /** Makes the load of a server that stays. */
    public ServerLoad(double cpuUtilization, Usage usage, long memoryBytesMax) {
      this(cpuUtilization, usage, memoryBytesMax, false);
    }
  }

  /**
   * * The load of one actor.
   *
   * @param replicas the number of copies that its table asks for
   * @param cost the summed cost of its operators per second (DPA §4.4 "query load")
   * @param usage the space that one copy occupies
   * @param copies the servers that hold it now, the primary first
   * @param pins servers that must hold a copy, each of them in the snapshot; further copies may be
   *     anywhere
   */
  public record ActorLoad(
      int replicas, double cost, Usage usage, List<String> copies, SortedSet<String> pins) {

    /** Makes the load of an actor without pins. */
    public ActorLoad(int replicas, double cost, Usage usage, List<String> copies) {
      this(replicas, cost, usage, copies, Collections.emptySortedSet());
    }
  }

  /**
   * A set of actors that one query reads together (PODP §3.1, a shard set s and its f_s).
   *
   * @param actors the actors, each once; those outside the snapshot are ignored
   * @param frequency the number of queries per time, in any unit that is the same for all sets
   */
  public record QuerySet(List<ActorId> actors, double frequency) {}
}
