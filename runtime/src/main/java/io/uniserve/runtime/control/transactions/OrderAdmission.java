package io.uniserve.runtime.control.transactions;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.OrderChange.Item;
import io.uniserve.runtime.control.log.OrderChange.Placed;
import io.uniserve.runtime.control.log.OrderChange.Portion;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The conditions on which an update gets a place in its table's order. */
final class OrderAdmission {
  /** The number of updates of one table that may be under way. */
  static final int PENDING_MAX = 20_000;

  /** The size of the updates of one table that may be under way, in bytes. */
  static final long PENDING_BYTES_MAX = 64L << 20;

  /**
   * The number of updates of one actor that may be under way. It is smaller than that of the table,
   * so that a slow actor leaves room to others.
   */
  static final int ACTOR_PENDING_MAX = 5_000;

  /** The size of the updates of one actor that may be under way, in bytes. */
  static final long ACTOR_PENDING_BYTES_MAX = 24L << 20;

  private final Clock clock;
  private final Decisions decisions;
  private final Engines engines;
  private final OrderHolds holds;

  OrderAdmission(Clock clock, Decisions decisions, Engines engines, OrderHolds holds) {
    this.clock = clock;
    this.decisions = decisions;
    this.engines = engines;
    this.holds = holds;
  }

  /** Returns an update as it is to be placed. */
  Placed admit(TableState table, SubmitUpdate request) {
    long timeMillis = timeMillis(table);
    request.key().requireLiving(timeMillis);
    Item item = item(table, request.function(), request.portions());
    return new Placed(
        table.id(),
        timeMillis,
        request.key(),
        table.definition().engine(),
        item.function(),
        item.portions());
  }

  /**
   * Returns an update as it is to be placed.
   *
   * @throws UniserveException if there is no room, an actor is being split or merged, or the update
   *     is too large
   */
  Item item(TableState table, Payload function, List<OrderedMessage.Portion> portions) {
    requireRoom(table, portions);
    portions.forEach(portion -> holds.requireNone(table.actorId(portion.actor())));
    Item item =
        new Item(
            bytes(function),
            portions.stream()
                .map(portion -> new Portion(portion.actor(), bytes(portion.records())))
                .toList());
    long bytes = sizeBytes(item);
    if (bytes > OrderedMessage.BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "an ordered update of " + bytes + " bytes, at most " + OrderedMessage.BYTES_MAX);
    }
    return item;
  }

  /**
   * Returns the refusal of an update if nothing but a hold keeps it from its place at present;
   * empty if nothing does, or something else.
   */
  Optional<UniserveException> held(TableState table, List<OrderedMessage.Portion> portions) {
    Partitioner now = table.definition().partitioner();
    boolean present =
        portions.stream()
            .allMatch(
                portion ->
                    now.has(portion.actor())
                        && now.generation(portion.actor()) == portion.generation());
    return portions.stream()
        .map(portion -> table.actorId(portion.actor()))
        .filter(actor -> present && holds.isHeld(actor))
        .findFirst()
        .map(OrderHolds::held);
  }

  private static long sizeBytes(Item item) {
    return item.function().length
        + item.portions().stream().mapToLong(portion -> portion.records().length).sum();
  }

  /**
   * Returns the time of an update. Whatever the clocks say, it is not before an earlier update, and
   * after the last split or merge.
   */
  long timeMillis(TableState table) {
    long now = clock.now().toEpochMilli();
    long last = order(table).map(TableOrder::lastMillis).orElse(0L);
    List<PartitionChange> history = table.definition().partitioner().history();
    long reshaped = history.isEmpty() ? 0 : history.getLast().timeMillis() + 1;
    return Math.max(now, Math.max(last, reshaped));
  }

  private byte[] bytes(Payload payload) {
    ByteBuffer view = payload.bytes(engines);
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }

  private Optional<TableOrder> order(TableState table) {
    return decisions.orders().table(table.id());
  }

  private void requireRoom(TableState table, List<OrderedMessage.Portion> portions) {
    Optional<TableOrder> order = order(table);
    if (order.isEmpty()) {
      return;
    }
    String name = "table '" + table.definition().name() + "'";
    requireRoom(
        name,
        order.get().pending().size(),
        order.get().pendingBytes(),
        PENDING_MAX,
        PENDING_BYTES_MAX);
    for (OrderedMessage.Portion portion : portions) {
      TableOrder.Backlog backlog = order.get().backlog(portion.actor());
      requireRoom(
          "actor " + portion.actor() + " of " + name,
          backlog.updates(),
          backlog.sizeBytes(),
          ACTOR_PENDING_MAX,
          ACTOR_PENDING_BYTES_MAX);
    }
  }

  private static void requireRoom(
      String what, int updates, long sizeBytes, int updatesMax, long bytesMax) {
    if (updates >= updatesMax || sizeBytes >= bytesMax) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          what
              + " has "
              + updates
              + " ordered updates of "
              + sizeBytes
              + " bytes under way; nothing of this one was done");
    }
  }

  TableState requireOrdered(long id) {
    TableState table = decisions.state().tables().get(id);
    if (table == null) {
      throw decisions.state().gone(id);
    }
    if (table.definition().consistency() != Consistency.ORDERED) {
      throw UniserveException.invalid(
          "table '" + table.definition().name() + "' has no ordered updates");
    }
    return table;
  }

  /**
   * Requires that an update names actors of a table, with their present keys. The records of a part
   * are not those of the whole, and an actor that has ended has none.
   */
  void requireActors(TableState table, List<OrderedMessage.Portion> portions) {
    List<Integer> actors = portions.stream().map(OrderedMessage.Portion::actor).toList();
    boolean each = actors.stream().allMatch(actor -> actor >= 0 && actor < table.actors().size());
    if (actors.isEmpty() || !each || !actors.equals(actors.stream().distinct().sorted().toList())) {
      throw UniserveException.invalid(
          "table '" + table.definition().name() + "' has not, each once, the actors " + actors);
    }
    portions.forEach(portion -> requireGeneration(table, portion));
  }

  private static void requireGeneration(TableState table, OrderedMessage.Portion portion) {
    Partitioner now = table.definition().partitioner();
    if (!now.has(portion.actor()) || now.generation(portion.actor()) != portion.generation()) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          "actor "
              + table.actorId(portion.actor())
              + " was split or merged; nothing of this update was done");
    }
  }
}
