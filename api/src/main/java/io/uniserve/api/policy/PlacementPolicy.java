package io.uniserve.api.policy;

import io.uniserve.api.ActorId;
import java.util.List;
import java.util.SortedMap;

/** Decides which servers hold which actors (DPA §4.4). */
@FunctionalInterface
public interface PlacementPolicy {

  /**
   * The wanted assignment: for each actor of the snapshot, the servers that should hold it and the
   * share of its reads that each should serve (PODP's r_ij; the shares of one actor sum to 1).
   * Every server named must be in the snapshot, and none twice for one actor. An actor may get
   * fewer copies than it asks for only if there are too few servers.
   */
  SortedMap<ActorId, List<Copy>> place(ClusterLoad cluster);

  /**
   * One copy of an actor.
   *
   * @param server the server's name
   * @param readShare the share of the actor's reads, 0 to 1
   */
  record Copy(String server, double readShare) {}
}
