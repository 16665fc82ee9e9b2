package io.uniserve.runtime.server.update;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.util.List;

/**
 * The check that a primary stays in one epoch from the beginning of its work to the
 * acknowledgement. A primary that lost its lease meanwhile may have been deposed, and its work may
 * be lost. A primary that was deposed while it waited may have joined again, and have a new lease.
 */
final class EpochCheck {
  private final Membership membership;
  private final ReplicaDriver driver;
  private final Role before;

  private EpochCheck(Membership membership, ReplicaDriver driver) {
    this.membership = membership;
    this.driver = driver;
    this.before = driver.replica().role();
  }

  /**
   * Begins the work of a primary. Nothing is acknowledged while none of the copies is known to be
   * readable, since any of them may become the primary until then.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} without a lease, or of a new actor
   */
  static EpochCheck begin(Membership membership, ReplicaDriver driver) {
    membership.requireLease();
    if (driver.assignment().copy().status() == CopyState.Status.EMPTY) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, driver.replica().target() + " is being made");
    }
    return new EpochCheck(membership, driver);
  }

  /**
   * Returns the epoch in which the work has begun.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if this server did not lead then
   */
  long epoch() {
    if (before instanceof Role.Leading leading) {
      return leading.epoch();
    }
    throw over();
  }

  /**
   * Returns the copies that must have an update before it may be acknowledged.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} once the epoch is over, since
   *     the copies then report their progress to another primary
   */
  List<CopyId> copiesToReach() {
    Role now = driver.replica().role();
    boolean led =
        before instanceof Role.Leading leading
            && (now.equals(leading) || now.equals(new Role.HandingOver(leading.epoch())));
    if (!led) {
      throw over();
    }
    return driver.copiesToReach();
  }

  /**
   * Checks that the primary may acknowledge its work.
   *
   * @return its epoch
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} or {@link ErrorCode#STALE_ROUTING}
   */
  long end() {
    membership.requireLease();
    if (before instanceof Role.Leading leading && before.equals(driver.replica().role())) {
      return leading.epoch();
    }
    throw over();
  }

  private UniserveException over() {
    return new UniserveException(
        ErrorCode.STALE_ROUTING, driver.replica().target() + " is not led by this server any more");
  }
}
