package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.client.context.Waiting;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The requests to the primaries of a table's actors, repeated until they answer, wherever the
 * primaries are by then. Such a request must be safe to repeat.
 */
public final class PrimaryCalls {
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  private final ClientContext client;
  private final TableState table;
  private final Deadline deadline;
  private final Runnable sending;

  public PrimaryCalls(ClientContext client, TableState table, Deadline deadline) {
    this(client, table, deadline, () -> {});
  }

  /**
   * @param sending called before anything is sent to a primary
   */
  public PrimaryCalls(ClientContext client, TableState table, Deadline deadline, Runnable sending) {
    this.client = client;
    this.table = table;
    this.deadline = deadline;
    this.sending = sending;
  }

  /**
   * Asks an actor's primary until it answers.
   *
   * @throws UniserveException a refusal that is final; or the last failure, once the deadline has
   *     passed
   */
  public <T extends Message> T ask(ActorId actor, Message request, Class<T> reply) {
    return untilDeadline(() -> askOnce(actor, request, reply));
  }

  /** Tries until an attempt does not fail in a way that another may mend. */
  public <T> T untilDeadline(Supplier<T> attempt) {
    Duration pause = client.settings().retryDelay();
    while (true) {
      Signal change = client.subscription().nextChange();
      UniserveException failure;
      try {
        return attempt.get();
      } catch (UniserveException e) {
        failure = e;
      }
      if (failure instanceof ReshapedException
          || !failure.retryable()
          || isGone()
          || deadline.expired(clock())) {
        throw failure;
      }
      pause(change, pause, failure);
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
    }
  }

  /** Returns whether the table is not there any more, so that nothing mends what fails. */
  private boolean isGone() {
    return !client.state().tables().containsKey(table.id());
  }

  /** Asks the primary that the client knows of. */
  <T extends Message> T askOnce(ActorId actor, Message request, Class<T> reply) {
    ServerState primary = primary(actor);
    sending.run();
    return client.calls().ask(primary, request, reply, deadline);
  }

  private ServerState primary(ActorId id) {
    ClusterState state = client.state();
    ActorState actor = state.actor(id).orElseThrow(() -> state.gone(table));
    ReshapedException.require(state, table, id);
    ServerState primary = state.servers().get(actor.primary());
    if (!primary.alive()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "actor "
              + id.number()
              + " of table '"
              + table.definition().name()
              + "' has no primary now"
              + Waiting.words(state, id));
    }
    return primary;
  }

  private void pause(Signal change, Duration pause, UniserveException failure) {
    try {
      change.await(Deadline.after(clock(), pause).earlier(deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
    if (deadline.expired(clock())) {
      throw failure;
    }
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
