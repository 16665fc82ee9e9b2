package io.uniserve.runtime.client.tables;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.wire.ControlMessage.ChangeRing;
import io.uniserve.runtime.wire.ControlMessage.RingChangeRecorded;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.runtime.wire.ring.RingState.Ended;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.Optional;

/** Requests to change rings of servers. */
public final class RingCalls {
  private final Controllers controllers;
  private final StateSubscription subscription;

  public RingCalls(Controllers controllers, StateSubscription subscription) {
    this.controllers = controllers;
    this.subscription = subscription;
  }

  /** Submits a change; returns its number once this client knows of it. */
  public long submit(ChangeRing request, Deadline deadline) {
    RingChangeRecorded recorded = controllers.submit(request, RingChangeRecorded.class, deadline);
    subscription.await(
        state -> state.version() >= recorded.version(),
        deadline,
        "change " + recorded.number() + " of the ring of table '" + request.table() + "'");
    return recorded.number();
  }

  /** Waits until a change has ended. */
  public ClusterState await(String table, long number, Deadline deadline) {
    String what = "change " + number + " of the ring of table '" + table + "'";
    ClusterState ended =
        subscription.await(
            state -> ring(state, table).filter(ring -> waits(ring, number)).isEmpty(),
            deadline,
            what);
    Ended outcome =
        ring(ended, table).stream()
            .flatMap(ring -> ring.ended().stream())
            .filter(one -> one.number() == number)
            .findFirst()
            .orElseThrow(
                () -> new UniserveException(ErrorCode.NOT_FOUND, "nothing is known of " + what));
    if (!outcome.done()) {
      throw new UniserveException(ErrorCode.ABORTED, what + " was not made: " + outcome.why());
    }
    return ended;
  }

  private static Optional<RingState> ring(ClusterState state, String table) {
    return state.table(table).flatMap(TableState::ring);
  }

  private static boolean waits(RingState ring, long number) {
    return ring.queue().stream().anyMatch(queued -> queued.number() == number);
  }
}
