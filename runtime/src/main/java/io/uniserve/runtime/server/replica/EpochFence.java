package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.actor.ReplicaTarget;

/**
 * The role of a replica, its epoch and its promise. They fence a deposed primary off. It changes
 * under the replica's lock only; any thread may read the role.
 */
final class EpochFence {
  private final ReplicaTarget target;
  private volatile Role role = new Role.Idle();
  private long promisedEpoch;

  EpochFence(ReplicaTarget target) {
    this.target = target;
  }

  Role role() {
    return role;
  }

  /** Promises to accept nothing of an epoch below this one. */
  void seal(long epoch) {
    if (epoch > promisedEpoch) {
      promisedEpoch = epoch;
      end();
    }
  }

  /** Takes a role in an epoch; returns false if a later epoch was promised. */
  boolean take(long epoch, Role wanted) {
    boolean allowed = epoch >= promisedEpoch;
    if (allowed && !role.equals(wanted)) {
      promisedEpoch = epoch;
      role = wanted;
    }
    return allowed;
  }

  /**
   * Stops accepting updates in an epoch that this replica leads. Returns false if it does not lead
   * that epoch. {@link #keep} undoes this.
   */
  boolean handOver(long epoch) {
    boolean leads = role.equals(new Role.Leading(epoch));
    if (leads) {
      role = new Role.HandingOver(epoch);
    }
    return leads;
  }

  /** Undoes a hand-over that has not been promised. */
  void keep(long epoch) {
    if (handsOver(epoch)) {
      role = new Role.Leading(epoch);
    }
  }

  boolean handsOver(long epoch) {
    return role.equals(new Role.HandingOver(epoch));
  }

  /** Ends the role, until the next is taken. */
  void end() {
    role = new Role.Idle();
  }

  /**
   * Returns the epoch that this replica leads.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if it leads none
   */
  long requireLeading() {
    if (role instanceof Role.Leading leading) {
      return leading.epoch();
    }
    throw new UniserveException(ErrorCode.STALE_ROUTING, target + " is not led by this server");
  }

  /**
   * Checks that this replica leads exactly this epoch, or is handing it over.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING}
   */
  void requireFollowed(long epoch) {
    if (handsOver(epoch)) {
      return;
    }
    long led = requireLeading();
    if (led != epoch) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING, target + " is led in epoch " + led + ", not " + epoch);
    }
  }

  /**
   * Checks that this replica has no role.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING}
   */
  void requireIdle() {
    if (!(role instanceof Role.Idle)) {
      throw new UniserveException(ErrorCode.STALE_ROUTING, target + " leads or follows");
    }
  }

  /**
   * Checks that this replica follows exactly this epoch.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING}
   */
  void requireFollowing(long epoch) {
    if (!role.equals(new Role.Following(epoch))) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING, target + " does not follow epoch " + epoch + " any more");
    }
  }
}
