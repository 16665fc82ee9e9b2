package io.uniserve.runtime.client.session;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.client.update.PrimaryCalls;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.RecallOutcome;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcomes of a session's updates, from controllers or, once these have forgotten, from actors.
 */
final class OutcomeRecall {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ClientContext client;

  /**
   * An update whose outcome only its actors know.
   *
   * @param sequence its number in the session
   * @param key the name of its key
   * @param entry the update
   */
  record Recalled(long sequence, Hash key, SessionEntry entry) {}

  OutcomeRecall(ClientContext client) {
    this.client = client;
  }

  /** Returns an outcome as controllers tell it. */
  OrderedOutcome outcome(TableState table, SessionEntry entry, Happened happened) {
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    SortedMap<ActorId, Refusal> refusals = new TreeMap<>();
    for (OrderedMessage.Outcome outcome : happened.outcomes()) {
      ActorId actor = table.actorId(outcome.actor());
      parts.put(actor, new Reached.Part(outcome.position(), outcome.answers()));
      outcome.refusal().ifPresent(refusal -> refusals.put(actor, refusal));
    }
    return entry.outcome(client.engines(), parts, refusals);
  }

  /** Returns the outcome of an update that took the short way, as its actor tells it. */
  OrderedOutcome outcome(ActorId actor, SessionEntry entry, OrderedMessage.Result result) {
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    parts.put(actor, new Reached.Part(result.position(), result.answers()));
    SortedMap<ActorId, Refusal> refusals = new TreeMap<>();
    result.refusal().ifPresent(refusal -> refusals.put(actor, refusal));
    return entry.outcome(client.engines(), parts, refusals);
  }

  /**
   * Asks the actors of an update for its outcome.
   *
   * @return empty if one of them does not know the update, or not any more
   * @throws UniserveException if one of them does not answer, or was split or merged just now
   */
  Optional<OrderedOutcome> ask(TableState table, Recalled update) {
    Deadline deadline = Deadline.after(client.environment().clock(), TIMEOUT);
    PrimaryCalls primaries = new PrimaryCalls(client, table, deadline);
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    SortedMap<ActorId, Refusal> refusals = new TreeMap<>();
    for (Portion portion : update.entry().grouped(table).portions()) {
      ActorId actor = table.actorId(portion.actor());
      Optional<OrderedMessage.Result> result =
          primaries
              .ask(actor, new RecallOutcome(actor, update.key()), OrderedMessage.Recalled.class)
              .result();
      if (result.isEmpty()) {
        return Optional.empty();
      }
      parts.put(actor, new Reached.Part(result.get().position(), result.get().answers()));
      result.get().refusal().ifPresent(refusal -> refusals.put(actor, refusal));
    }
    return Optional.of(update.entry().outcome(client.engines(), parts, refusals));
  }

  /** Returns the failure of an update that had a place, and that an actor does not know. */
  static UniserveException lost(String table) {
    return UniserveException.unknownOutcome(
        ErrorCode.UNAVAILABLE,
        "the outcome is unknown: the update had its place, but an actor of table '"
            + table
            + "' does not know it any more");
  }
}
