package io.uniserve.api.policy;

/** Decides which servers hold which actors (DPA §4.4). */
@FunctionalInterface
public interface PlacementPolicy {

  /**
   * The wanted assignment of every actor of the snapshot. Every server named is in the snapshot,
   * does not drain, and is named at most once for one actor. An actor gets fewer copies than it
   * asks for only if there are too few servers.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#EXHAUSTED} or
   *     {@link io.uniserve.api.ErrorCode#INVALID_ARGUMENT} if no assignment can hold all
   *     constraints; the message names the one that cannot hold
   */
  Placement place(ClusterLoad cluster);
}
