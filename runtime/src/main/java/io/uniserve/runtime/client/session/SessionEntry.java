package io.uniserve.runtime.client.session;

import io.uniserve.api.ActorId;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.client.update.Addressed;
import io.uniserve.runtime.client.update.AnswersTogether;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.SessionUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.LoggedAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One update or read of a session without an outcome so far. For the holder of the session's lock.
 */
final class SessionEntry {
  /** Empty if it is a read. */
  private final Optional<UpdateFunction<?, ?>> update;

  private final Payload function;
  private final Addressed addressed;

  private final OrderedReceipt receipt =
      new OrderedReceipt(new CompletableFuture<>(), new CompletableFuture<>());
  private Partitioner groupedBy;
  private SessionUpdate grouped;
  private boolean stable;
  private boolean recalled;

  /** Null unless it was sent on the short way. */
  private UpdateKey key;

  SessionEntry(TableState table, UpdateFunction<?, ?> update, Addressed addressed) {
    this(table, Optional.of(update), Payload.of(table.definition().engine(), update), addressed);
  }

  private SessionEntry(
      TableState table,
      Optional<UpdateFunction<?, ?>> update,
      Payload function,
      Addressed addressed) {
    this.update = update;
    this.function = function;
    this.addressed = addressed;
    group(table);
  }

  /** Returns an entry that changes nothing, and marks the place of a read. */
  static SessionEntry ofRead(TableState table, Addressed.Read addressed) {
    Payload nothing = Payload.ofBytes(table.definition().engine(), ByteBuffer.allocate(0));
    return new SessionEntry(table, Optional.empty(), nothing, addressed);
  }

  /** Returns whether it is a read, which changes nothing. */
  boolean isRead() {
    return update.isEmpty();
  }

  /** Returns the key under which it was sent on the short way; empty if it was not. */
  Optional<UpdateKey> key() {
    return Optional.ofNullable(key);
  }

  void setKey(UpdateKey given) {
    key = given;
  }

  OrderedReceipt receipt() {
    return receipt;
  }

  /** Returns the update as it is to be sent, with its records grouped by their present actors. */
  SessionUpdate grouped(TableState table) {
    if (!table.definition().partitioner().equals(groupedBy)) {
      group(table);
    }
    return grouped;
  }

  private void group(TableState table) {
    Partitioner partitioner = table.definition().partitioner();
    List<Portion> portions = new ArrayList<>();
    addressed
        .byActor(partitioner, table)
        .forEach(
            (actor, some) -> {
              update.ifPresent(known -> LoggedAnswer.requireBounded(known, some.size()));
              portions.add(
                  new Portion(
                      actor,
                      partitioner.generation(actor),
                      Payload.of(table.definition().engine(), some)));
            });
    grouped = new SessionUpdate(function, portions);
    groupedBy = partitioner;
  }

  /**
   * Returns the outcome of what its actors said.
   *
   * @param parts the part of each actor
   * @param refusals the reason of each actor that refused the update
   */
  OrderedOutcome outcome(
      Engines engines,
      SortedMap<ActorId, Reached.Part> parts,
      SortedMap<ActorId, Refusal> refusals) {
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    parts.forEach((actor, part) -> positions.put(actor, part.position()));
    List<Object> answers =
        refusals.isEmpty()
            ? new AnswersTogether(engines, function.engine(), parts.values())
                .values(() -> addressed.inOrder(groupedBy))
            : List.of();
    return new OrderedOutcome(positions, refusals, answers);
  }

  /** Returns the size of the update, in bytes. */
  long sizeBytes(Engines engines) {
    return function.bytes(engines).remaining()
        + grouped.portions().stream()
            .mapToLong(portion -> portion.records().bytes(engines).remaining())
            .sum();
  }

  boolean stable() {
    return stable;
  }

  void setStable() {
    stable = true;
  }

  /** Returns whether the update's actors are being asked for its outcome. */
  boolean recalled() {
    return recalled;
  }

  void setRecalled(boolean now) {
    recalled = now;
  }
}
