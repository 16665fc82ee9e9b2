package io.uniserve.runtime.server.query;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.replica.Sight;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.server.update.FirmUpdates;
import io.uniserve.runtime.wire.TransactionMessage.AskFirm;
import io.uniserve.runtime.wire.TransactionMessage.Firm;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The wait of reads of serializable tables for what they have seen, and of reads of ordered tables
 * at marks. A copy shows an update of one actor as soon as it has applied it. A read that may have
 * seen it is answered once the update is firm: on every readable copy, on disk. So what was seen is
 * never lost, and no later read misses it. The primary knows; a follower asks it.
 */
public final class FirmReads {
  /** The longest wait; then another copy may know more. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ServerContext server;
  private final StateSubscription subscription;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final FirmUpdates updates;

  public FirmReads(
      ServerContext server,
      StateSubscription subscription,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      FirmUpdates updates) {
    this.server = server;
    this.subscription = subscription;
    this.drivers = drivers;
    this.updates = updates;
  }

  /** Returns whether everything that a read may have seen is known to be firm. */
  boolean isFirm(Replica replica, int generation, Shared<Actor> live) {
    return replica.reads().sight(generation, live).filter(Sight::isFirm).isPresent();
  }

  /**
   * Waits until everything that a read may have seen is firm.
   *
   * @param generation the generation of the actor's keys
   * @param live the actor that was read
   * @throws UniserveException that another copy, or another attempt, may mend
   */
  void await(Replica replica, int generation, Shared<Actor> live, Deadline deadline) {
    await(
        replica,
        replica.reads().sight(generation, live).orElseThrow(() -> replaced(replica)),
        deadline);
  }

  /** Waits until everything that a read may have seen is firm, as above. */
  void await(Replica replica, Sight sight, Deadline deadline) {
    if (sight.isFirm()) {
      return;
    }
    Position seen = sight.seen().orElseThrow(() -> replaced(replica));
    Deadline patience = Deadline.after(server.environment().clock(), PATIENCE).earlier(deadline);
    try {
      awaitFirm(replica, seen, patience);
    } catch (UniserveException e) {
      throw e.retryable() ? notYet(replica, e) : e;
    }
    sight.firm(seen);
  }

  private void awaitFirm(Replica replica, Position seen, Deadline deadline) {
    switch (replica.role()) {
      case Role.Leading leading -> awaitOwn(replica, leading.epoch(), seen, deadline);
      case Role.HandingOver leaving -> awaitOwn(replica, leaving.epoch(), seen, deadline);
      case Role.Following following ->
          subscription
              .calls()
              .ask(
                  primary(replica, following.epoch()),
                  new AskFirm(replica.target().id(), following.epoch(), seen),
                  Firm.class,
                  deadline);
      case Role.Idle idle ->
          throw new UniserveException(
              ErrorCode.STALE_ROUTING,
              "what was seen of " + replica.target() + " may be lost: it has no primary now");
    }
  }

  private void awaitOwn(Replica replica, long epoch, Position seen, Deadline deadline) {
    ReplicaDriver driver =
        drivers.apply(replica.target().id()).orElseThrow(() -> replaced(replica));
    updates.await(driver, epoch, seen, deadline);
  }

  private ServerState primary(Replica replica, long epoch) {
    ClusterState state = subscription.state();
    return state
        .actor(replica.target().id())
        .filter(actor -> actor.epoch() == epoch)
        .map(ActorState::primary)
        .map(state.servers()::get)
        .orElseThrow(() -> replaced(replica));
  }

  /** Returns the failure of a read that time will mend, or another copy. */
  private static UniserveException notYet(Replica replica, UniserveException cause) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING,
        "it is not known yet that what was seen of "
            + replica.target()
            + " is on all of its copies: "
            + cause.getMessage(),
        cause);
  }

  private static UniserveException replaced(Replica replica) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING,
        replica.target() + " was replaced, or got another primary, while it was read");
  }
}
