package io.uniserve.api.policy;

import io.uniserve.api.ActorId;
import java.util.List;
import java.util.SortedMap;

/**
 * A wanted assignment of actors to servers, with reasons.
 *
 * @param copies the copies of each actor of the snapshot; a new actor gets its primary on the first
 *     one, and the present primary comes first if it stays
 * @param reasons the reason for each actor whose copies or shares change; a sentence for people
 * @param summary the effect of the assignment as a whole; a sentence for people
 */
public record Placement(
    SortedMap<ActorId, List<Copy>> copies, SortedMap<ActorId, String> reasons, String summary) {

  /** Returns the copies of one actor; none if it is not in the assignment. */
  public List<Copy> of(ActorId actor) {
    return copies.getOrDefault(actor, List.of());
  }

  /**
   * One copy of an actor.
   *
   * @param server the server's name
   * @param readShare the share of the actor's reads that it should serve, 0 to 1 (PODP's r_ij); the
   *     shares of one actor sum to 1
   */
  public record Copy(String server, double readShare) {}
}
