package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;

/**
 * Which role a replica has, in which epoch, and what it promised: the fence that keeps a deposed
 * primary from being obeyed. Changed under the replica's lock alone; the role may be read by any
 * thread.
 */
final class Reign {
  private final ReplicaTarget target;
  private volatile Role role = new Role.Idle();
  private long promisedEpoch;

  Reign(ReplicaTarget target) {
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

  /** Takes a role in an epoch; false if a later one was promised. */
  boolean take(long epoch, Role wanted) {
    boolean allowed = epoch >= promisedEpoch;
    if (allowed && !role.equals(wanted)) {
      promisedEpoch = epoch;
      role = wanted;
    }
    return allowed;
  }

  /**
   * Takes no more updates in an epoch that this replica leads; false if it leads no such epoch.
   * {@link #keep} takes it back.
   */
  boolean handOver(long epoch) {
    boolean leads = role.equals(new Role.Leading(epoch));
    if (leads) {
      role = new Role.HandingOver(epoch);
    }
    return leads;
  }

  /** Goes on to lead what was about to be handed over, if nobody was promised otherwise. */
  void keep(long epoch) {
    if (handsOver(epoch)) {
      role = new Role.Leading(epoch);
    }
  }

  boolean handsOver(long epoch) {
    return role.equals(new Role.HandingOver(epoch));
  }

  /** No role until the next is taken. */
  void end() {
    role = new Role.Idle();
  }

  /**
   * The epoch that this replica leads.
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
   * Checks that this replica leads this very epoch, or is about to hand it over.
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
   * Checks that this replica follows this very epoch.
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
