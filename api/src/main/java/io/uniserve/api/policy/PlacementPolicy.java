package io.uniserve.api.policy;

/** A policy that decides which servers hold which actors (DPA §4.4). */
@FunctionalInterface
public interface PlacementPolicy {

  /**
   * Decides the assignment of every actor of the snapshot. Every server that it names is in the
   * snapshot, is not draining, and is named at most once for one actor. An actor gets fewer copies
   * than it asks for only if there are too few servers.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#EXHAUSTED} or {@link
   *     io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if no assignment meets all constraints;
   *     the message names the constraint that cannot be met
   */
  Placement place(ClusterLoad cluster);
}
