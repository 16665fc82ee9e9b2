package io.uniserve.node.http.metrics;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Caller;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.tables.CopyTroubles;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.Optional;

/**
 * The failures of requests that no copy could answer, with the troubles of the copies.
 *
 * @param client the client of the cluster
 */
record Unanswered(UniserveClient client) {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** Returns the same failure, with more detail if servers know more. */
  UniserveException explained(UniserveException failure, String name) {
    ClusterState state = client.state();
    Optional<TableState> table = state.table(name);
    boolean ofCopies =
        failure.code() == ErrorCode.UNAVAILABLE || failure.code() == ErrorCode.DEADLINE_EXCEEDED;
    // An engine's description of its failure may contain values of the table.
    if (!ofCopies
        || !Caller.currentMayRead(name)
        || table.filter(known -> lacksCopies(known, state)).isEmpty()) {
      return failure;
    }
    String why = CopyTroubles.of(table.get().id(), client.view().statuses(TIMEOUT)).words();
    return why.isEmpty() ? failure : failure.saying(failure.getMessage() + why);
  }

  /** Returns whether a copy that could be asked is not ready. */
  private static boolean lacksCopies(TableState table, ClusterState state) {
    return table.living().values().stream()
        .flatMap(actor -> actor.copies().stream())
        .filter(copy -> state.alive(copy.server()))
        .map(CopyState::status)
        .anyMatch(status -> status == Status.EMPTY || status == Status.LOADING);
  }
}
