package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ParallelCalls;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.wire.TransactionMessage.AbortUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.TransactionMessage.CommitUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Concluded;
import io.uniserve.runtime.wire.TransactionMessage.Decide;
import io.uniserve.runtime.wire.TransactionMessage.Decided;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Prepared;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One serializable update (DPA §4.2). It takes the turn of the touched actors, has each of them
 * prepare, asks for the decision, and tells it to the actors. That takes three round trips and one
 * logged decision. A failed update is tried again from the beginning, as another transaction with
 * the same idempotency key. An actor that has committed the former transaction says so and is not
 * touched again.
 */
final class TransactionRun {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionRun.class);

  /**
   * The longest time in which a client tells actors that it gave up; they also find out by
   * themselves.
   */
  private static final Duration ABORT_TIMEOUT = Duration.ofMillis(500);

  private final ClientContext client;
  private final TableState table;
  private final UpdateKey key;
  private final Payload function;
  private final SortedMap<ActorId, Payload> records;
  private final List<ActorId> actors;
  private final Deadline deadline;
  private final Runnable deciding;
  private final PrimaryCalls primaries;
  private final ParallelCalls together;

  /**
   * @param key the idempotency key
   * @param records the records of each touched actor, at least one
   * @param deciding called before a decision is asked for; nothing happens without one
   */
  TransactionRun(
      ClientContext client,
      TableState table,
      UpdateKey key,
      Payload function,
      SortedMap<ActorId, Payload> records,
      Deadline deadline,
      Runnable deciding) {
    this.client = client;
    this.deciding = deciding;
    this.table = table;
    this.key = key;
    this.function = function;
    this.records = records;
    this.actors = List.copyOf(records.keySet());
    this.deadline = deadline;
    this.primaries = new PrimaryCalls(client, table, deadline);
    this.together = new ParallelCalls(client);
  }

  Reached run() {
    Reached reached = primaries.untilDeadline(this::attempt);
    client.seen().saw(table.id(), reached.version());
    return reached;
  }

  private Reached attempt() {
    // No turn comes of an actor that has ended.
    actors.forEach(id -> ReshapedException.require(client.state(), table, id));
    String transaction = RandomNames.next(client.environment());
    try (ActorsTurn turn = new ActorsTurn(client, table, actors, transaction)) {
      turn.await(deadline);
      SortedMap<ActorId, Prepared> prepared = prepare(transaction);
      List<ActorId> voters =
          actors.stream().filter(id -> prepared.get(id).applied().isEmpty()).toList();
      return voters.isEmpty()
          ? receiptOfBefore(prepared)
          : commit(voters, prepared, decide(transaction, voters, prepared));
    }
  }

  private SortedMap<ActorId, Prepared> prepare(String transaction) {
    try {
      return together.forEach(
          actors,
          id ->
              primaries.askOnce(
                  id,
                  new PrepareUpdate(
                      id,
                      table.definition().partitioner().generation(id.number()),
                      transaction,
                      key,
                      function,
                      records.get(id)),
                  Prepared.class));
    } catch (UniserveException e) {
      abort(transaction);
      throw e;
    }
  }

  /**
   * Asks for the decision. If that fails, it is not known whether it was made, unless it was
   * refused.
   */
  private Commitment decide(
      String transaction, List<ActorId> voters, SortedMap<ActorId, Prepared> prepared) {
    List<Vote> votes = new ArrayList<>();
    voters.forEach(id -> votes.add(vote(id, prepared.get(id))));
    deciding.run();
    try {
      return client
          .controllers()
          .ask(new Decide(table.id(), transaction, votes), Decided.class, deadline)
          .commitment();
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.ABORTED) {
        throw e;
      }
      abort(transaction);
      throw new UniserveException(ErrorCode.UNAVAILABLE, e.getMessage(), e);
    }
  }

  private static Vote vote(ActorId id, Prepared prepared) {
    return new Vote(id.number(), prepared.epoch(), prepared.timeMillis());
  }

  private Reached commit(
      List<ActorId> voters, SortedMap<ActorId, Prepared> prepared, Commitment decided) {
    SortedMap<ActorId, Reached.Part> parts = partsOfBefore(prepared);
    parts.putAll(together.forEach(voters, id -> commit(id, decided)));
    return new Reached(parts, decided.version());
  }

  /** Commits on an actor. One that lost what it prepared, with all its copies, gets it again. */
  private Reached.Part commit(ActorId id, Commitment decided) {
    try {
      Concluded concluded = primaries.ask(id, new CommitUpdate(id, key, decided), Concluded.class);
      return new Reached.Part(concluded.position(), concluded.answers());
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, e.getMessage(), e);
      }
      throw e;
    }
  }

  private static Reached receiptOfBefore(SortedMap<ActorId, Prepared> prepared) {
    long version =
        prepared.values().stream()
            .flatMap(answer -> answer.applied().stream())
            .mapToLong(Applied::version)
            .max()
            .orElseThrow();
    return new Reached(partsOfBefore(prepared), version);
  }

  private static SortedMap<ActorId, Reached.Part> partsOfBefore(
      SortedMap<ActorId, Prepared> prepared) {
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    prepared.forEach(
        (id, answer) ->
            answer
                .applied()
                .ifPresent(
                    applied ->
                        parts.put(id, new Reached.Part(applied.position(), applied.answers()))));
    return parts;
  }

  /** Aborts a transaction that was not decided and never will be. */
  private void abort(String transaction) {
    Deadline soon = Deadline.after(client.environment().clock(), ABORT_TIMEOUT);
    PrimaryCalls once = new PrimaryCalls(client, table, soon);
    try {
      together.forEach(
          actors, id -> once.askOnce(id, new AbortUpdate(id, transaction), Concluded.class));
    } catch (UniserveException e) {
      LOG.debug(
          "an actor was not told that transaction {} is aborted: {}", transaction, e.getMessage());
    }
  }
}
