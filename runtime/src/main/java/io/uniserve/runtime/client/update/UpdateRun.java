package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.PartlyAppliedException;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ParallelCalls;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LoggedAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** One update, at the level of its table (DPA §4.2). */
public final class UpdateRun {
  private final ClientContext client;

  /** A partitioner that puts all records of a table together. */
  private static final Partitioner ONE_ACTOR = new Partitioner.Hash(1);

  private final TableState table;
  private final UpdateOptions options;
  private final UpdateFunction<?, ?> update;
  private final Payload function;

  /** Set before anything is sent that may apply the update. */
  private final AtomicBoolean begun;

  private UpdateRun(
      ClientContext client,
      TableState table,
      UpdateFunction<?, ?> function,
      UpdateOptions options,
      AtomicBoolean begun) {
    Consistency level = table.definition().consistency();
    if (!level.runs(function)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          function
              + " is not an update of level "
              + level
              + ", which table '"
              + table.definition().name()
              + "' has");
    }
    this.client = client;
    this.table = table;
    this.options = options;
    this.begun = begun;
    this.update = function;
    this.function = Payload.of(table.definition().engine(), function);
  }

  /** Sends each record to its actor. */
  public static UpdateReceipt ofRecords(
      ClientContext client,
      String name,
      UpdateFunction<?, ?> function,
      List<? extends PartitionedRecord> records,
      UpdateOptions options) {
    Deadline deadline = Deadline.after(client.environment().clock(), options.timeout());
    TableState table = client.requireTable(name, deadline);
    return retryOnRepartition(
        client,
        table,
        function,
        options,
        deadline,
        () -> bodyOf(client, table, function, records),
        new Addressed.ByKey(records));
  }

  /**
   * Returns a hash of the whole update, however it is divided among actors. It is that of the form
   * for a single actor with the whole table, since other forms of records never cross the wire.
   */
  private static Hash bodyOf(
      ClientContext client,
      TableState table,
      UpdateFunction<?, ?> function,
      List<? extends PartitionedRecord> records) {
    String engine = table.definition().engine();
    List<PartitionedRecord> sent = new ArrayList<>();
    records.forEach(record -> sent.addAll(record.divided(ONE_ACTOR)));
    return Hash.of(
        Payload.of(engine, function).bytes(client.engines()),
        Payload.of(engine, sent).bytes(client.engines()));
  }

  /** Runs an update without records on every actor. */
  public static UpdateReceipt ofAllActors(
      ClientContext client, String name, UpdateFunction<?, ?> function, UpdateOptions options) {
    Deadline deadline = Deadline.after(client.environment().clock(), options.timeout());
    TableState table = client.requireTable(name, deadline);
    return ofAllActors(
        client,
        table,
        function,
        options,
        deadline,
        () -> bodyOf(client, table, function, List.of()));
  }

  /**
   * Runs an update without records on every actor, for a statement whose place its function takes.
   *
   * @param statement the statement for which the key of the options stands
   */
  public static UpdateReceipt ofStatement(
      ClientContext client,
      String name,
      UpdateFunction<?, ?> function,
      UpdateOptions options,
      String statement) {
    Deadline deadline = Deadline.after(client.environment().clock(), options.timeout());
    return ofAllActors(
        client,
        client.requireTable(name, deadline),
        function,
        options,
        deadline,
        () -> Hash.of(statement));
  }

  /**
   * Runs an update without records on every actor of a known table, whatever table has its name by
   * now.
   */
  public static UpdateReceipt ofAllActors(
      ClientContext client,
      TableState table,
      UpdateFunction<?, ?> function,
      UpdateOptions options,
      Deadline deadline) {
    return ofAllActors(
        client,
        table,
        function,
        options,
        deadline,
        () -> bodyOf(client, table, function, List.of()));
  }

  private static UpdateReceipt ofAllActors(
      ClientContext client,
      TableState table,
      UpdateFunction<?, ?> function,
      UpdateOptions options,
      Deadline deadline,
      Supplier<Hash> body) {
    return retryOnRepartition(
        client, table, function, options, deadline, body, new Addressed.All());
  }

  /**
   * Groups records again and sends them again if an actor did not take them because it was split or
   * merged. What the actor took before is known under the same key to its successors. The key that
   * is made here is not the caller's, so to the caller an update that may have been applied is not
   * safe to send again.
   */
  private static UpdateReceipt retryOnRepartition(
      ClientContext client,
      TableState table,
      UpdateFunction<?, ?> function,
      UpdateOptions options,
      Deadline deadline,
      Supplier<Hash> body,
      Addressed addressed) {
    UpdateKey key =
        options
            .offsets()
            .map(UpdateKey::of)
            .or(
                () ->
                    options
                        .idempotencyKey()
                        .map(given -> UpdateKey.of(given, options.body().orElseGet(body))))
            .orElseGet(
                () ->
                    UpdateKey.random(
                        client.environment().random(), client.environment().clock().now()));
    AtomicBoolean begun = new AtomicBoolean();
    try {
      TableState planned = table;
      while (true) {
        try {
          return new UpdateRun(client, planned, function, options, begun)
              .run(addressed, key, deadline);
        } catch (ReshapedException e) {
          deadline.check(client.environment().clock(), e.getMessage());
          planned = client.state().tables().getOrDefault(table.id(), planned);
        }
      }
    } catch (UniserveException e) {
      boolean known = options.idempotencyKey().isPresent() || options.offsets().isPresent();
      throw begun.get() && !known ? e.ofUnknownOutcome() : e;
    }
  }

  private UpdateReceipt run(Addressed addressed, UpdateKey key, Deadline deadline) {
    Partitioner partitioner = table.definition().partitioner();
    String engine = table.definition().engine();
    SortedMap<ActorId, Payload> records = new TreeMap<>();
    addressed
        .byActor(partitioner, table)
        .forEach(
            (number, some) -> {
              LoggedAnswer.requireBounded(update, some.size());
              records.put(table.actorId(number), Payload.of(engine, some));
            });
    if (records.isEmpty()) {
      return new UpdateReceipt(new TreeMap<>(), 0, List.of());
    }
    Reached reached = reach(key, records, deadline);
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    reached.actors().forEach((id, part) -> positions.put(id, part.position()));
    AnswersTogether answers =
        new AnswersTogether(client.engines(), engine, reached.actors().values());
    return new UpdateReceipt(
        positions, reached.version(), answers.values(() -> addressed.inOrder(partitioner)));
  }

  private Reached reach(UpdateKey key, SortedMap<ActorId, Payload> records, Deadline deadline) {
    return switch (table.definition().consistency()) {
      case EVENTUAL -> byPrimaries(key, records, deadline);
      case SERIALIZABLE -> {
        boolean alone = records.size() == 1;
        yield alone ? byPrimaries(key, records, deadline) : transaction(key, records, deadline);
      }
      case SNAPSHOT -> transaction(key, records, deadline);
      case ORDERED ->
          new OrderedRun(client, table, key, function, records, deadline, sending()).run();
    };
  }

  private Runnable sending() {
    return () -> begun.set(true);
  }

  private Reached transaction(
      UpdateKey key, SortedMap<ActorId, Payload> records, Deadline deadline) {
    return new TransactionRun(client, table, key, function, records, deadline, sending()).run();
  }

  /**
   * Asks each touched actor's primary, in parallel, until it answers. Each decides alone. The
   * idempotency key makes it safe to ask again.
   */
  private Reached byPrimaries(
      UpdateKey key, SortedMap<ActorId, Payload> records, Deadline deadline) {
    boolean allCopies = options.acknowledgement() == Acknowledgement.ALL_COPIES;
    PrimaryCalls primaries = new PrimaryCalls(client, table, deadline, sending());
    SortedMap<ActorId, Said> said =
        new ParallelCalls(client)
            .forEach(
                List.copyOf(records.keySet()),
                id -> {
                  try {
                    Updated updated =
                        primaries.ask(
                            id,
                            new Update(
                                id,
                                table.definition().partitioner().generation(id.number()),
                                key,
                                function,
                                records.get(id),
                                allCopies),
                            Updated.class);
                    return new Said.Yes(new Reached.Part(updated.position(), updated.answers()));
                  } catch (UniserveException e) {
                    return new Said.No(e);
                  }
                });
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    SortedMap<ActorId, UniserveException> failures = new TreeMap<>();
    said.forEach(
        (id, one) -> {
          switch (one) {
            case Said.Yes yes -> parts.put(id, yes.part());
            case Said.No no -> failures.put(id, no.failure());
          }
        });
    requireAll(new TreeSet<>(parts.keySet()), failures);
    return new Reached(parts, 0);
  }

  /** The reply of an actor to an update. */
  private sealed interface Said {
    record Yes(Reached.Part part) implements Said {}

    record No(UniserveException failure) implements Said {}
  }

  /**
   * Requires that all actors have applied an update.
   *
   * @param applied the actors that have applied it
   * @param failures the failures of the others
   * @throws ReshapedException if one of them was split or merged; the update is not over then
   * @throws UniserveException the failure, which says who has applied it all the same
   */
  static void requireAll(
      SortedSet<ActorId> applied, SortedMap<ActorId, UniserveException> failures) {
    for (UniserveException failure : failures.values()) {
      if (failure instanceof ReshapedException reshaped) {
        throw reshaped;
      }
    }
    if (!failures.isEmpty() && !applied.isEmpty()) {
      throw new PartlyAppliedException(applied, failures);
    }
    if (!failures.isEmpty()) {
      UniserveException first = failures.firstEntry().getValue();
      failures.values().stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }
}
