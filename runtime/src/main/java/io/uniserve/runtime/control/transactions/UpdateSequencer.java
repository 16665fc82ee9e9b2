package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.OrderChange;
import io.uniserve.runtime.control.log.OrderChange.Placed;
import io.uniserve.runtime.control.log.OrderChange.Portion;
import io.uniserve.runtime.control.log.OrderedUpdate;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The order book: it takes ordered updates, gives them their places in the control log, has them
 * delivered, and answers (RB §5.5). The waiting callers and the received updates are only in the
 * coordinator's memory. The next coordinator delivers everything again that is not settled, and
 * clients ask it again. Only for the deciding thread.
 */
public final class UpdateSequencer {
  /** The number of updates of one table that may be under way. */
  static final int PENDING_MAX = 1_000;

  /** The size of the updates of one table that may be under way, in bytes. */
  static final long PENDING_BYTES_MAX = 64L << 20;

  /** One update that is not settled. */
  private static final class Entry {
    private final OrderedUpdate update;
    private final SortedMap<Integer, Outcome> outcomes = new TreeMap<>();
    private final Set<Incoming> waiting = new LinkedHashSet<>();

    Entry(OrderedUpdate update) {
      this.update = update;
    }

    boolean happened() {
      return outcomes.size() == update.update().portions().size();
    }

    Happened answer() {
      return new Happened(update.number(), List.copyOf(outcomes.values()));
    }
  }

  /** The updates of one table. */
  private static final class Page {
    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private final Map<Hash, Entry> byKey = new LinkedHashMap<>();
  }

  private final Environment environment;
  private final Decisions decisions;
  private final Engines engines;
  private final OrderHolds holds;
  private final Deliveries deliveries;
  private final NavigableMap<Long, Page> pages = new TreeMap<>();

  /**
   * @param holds the holds of actors for which nothing is ordered
   */
  public UpdateSequencer(
      Environment environment, Decisions decisions, Engines engines, OrderHolds holds) {
    this.holds = holds;
    this.environment = environment;
    this.decisions = decisions;
    this.engines = engines;
    this.deliveries =
        new Deliveries(
            environment,
            decisions,
            new Deliveries.Listener() {
              @Override
              public void got(ActorId actor, Result result) {
                UpdateSequencer.this.got(actor, result);
              }

              @Override
              public void lost(ActorId actor, long after) {
                UpdateSequencer.this.lost(actor, after);
              }
            });
  }

  /** Continues the deliveries of a former coordinator. */
  public void begin() {
    decisions.orders().tables().values().forEach(order -> order.pending().forEach(this::open));
  }

  /** Settles updates that all actors have received, and turns to new primaries. */
  public void check() {
    List.copyOf(pages.keySet()).forEach(this::settle);
    deliveries.check();
  }

  /**
   * Orders an update, unless it is under way already. The call is answered once all actors have
   * received it.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} if too much of the table is under
   *     way, with {@link ErrorCode#UNAVAILABLE} if an actor is being split or merged, and with
   *     {@link ErrorCode#STALE_ROUTING} if one was since the update was grouped; nothing was done
   *     then, and a retry is safe. Other codes say what is wrong with the update
   */
  public void submit(SubmitUpdate request, Incoming call) {
    TableState table = requireOrdered(request);
    Page page = pages.computeIfAbsent(table.id(), absent -> new Page());
    Entry known = page.byKey.get(request.key().name());
    if (known != null) {
      request.key().requireSame(known.update.update().key().body());
    }
    boolean same = known != null && known.update.actors().equals(actors(request));
    Entry entry = same ? known : open(place(table, request));
    if (entry.happened()) {
      DeferredReply.answer(call, entry.answer());
    } else {
      entry.waiting.add(call);
      call.onCancel(() -> decisions.submit(() -> entry.waiting.remove(call)));
    }
  }

  private OrderedUpdate place(TableState table, SubmitUpdate request) {
    settle(table.id());
    requireRoom(table);
    request.portions().forEach(portion -> holds.requireNone(table.actorId(portion.actor())));
    long timeMillis = timeMillis(table);
    request.key().requireLiving(timeMillis);
    List<Portion> portions = new ArrayList<>();
    request
        .portions()
        .forEach(portion -> portions.add(new Portion(portion.actor(), bytes(portion.records()))));
    Placed placed =
        new Placed(
            table.id(),
            timeMillis,
            request.key(),
            table.definition().engine(),
            bytes(request.function()),
            portions);
    if (placed.sizeBytes() > OrderedMessage.BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "an ordered update of "
              + placed.sizeBytes()
              + " bytes, at most "
              + OrderedMessage.BYTES_MAX);
    }
    return decisions.order(placed).orElseThrow();
  }

  /**
   * Returns the time of an update. Whatever the clocks say, it is not before an earlier update, and
   * after the last split or merge.
   */
  private long timeMillis(TableState table) {
    long now = environment.clock().now().toEpochMilli();
    long last = decisions.orders().table(table.id()).map(TableOrder::lastMillis).orElse(0L);
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

  private Entry open(OrderedUpdate update) {
    Entry entry = new Entry(update);
    Page page = pages.computeIfAbsent(update.update().table(), absent -> new Page());
    page.entries.put(update.number(), entry);
    page.byKey.put(update.update().key().name(), entry);
    deliveries.add(update);
    return entry;
  }

  private void got(ActorId actor, Result result) {
    Entry entry = pages.get(actor.table()).entries.get(result.number());
    entry.outcomes.put(
        actor.number(), new Outcome(actor.number(), result.position(), result.refusal()));
    if (entry.happened()) {
      entry.waiting.forEach(call -> DeferredReply.answer(call, entry.answer()));
      entry.waiting.clear();
    }
  }

  private void lost(ActorId actor, long after) {
    pages
        .get(actor.table())
        .entries
        .tailMap(after, false)
        .values()
        .forEach(entry -> entry.outcomes.remove(actor.number()));
  }

  /**
   * Settles received updates. That takes one record of the log, together with the next placed
   * updates or at the next check.
   */
  private void settle(long table) {
    Page page = pages.get(table);
    for (Entry entry : List.copyOf(page.entries.values())) {
      if (entry.happened()) {
        decisions.order(new OrderChange.Settled(table, entry.update.number()));
        page.entries.remove(entry.update.number());
        page.byKey.remove(entry.update.update().key().name(), entry);
        deliveries.settled(entry.update);
      }
    }
    if (page.entries.isEmpty()) {
      pages.remove(table);
    }
  }

  /** Forgets a dropped table and its updates. */
  public void dropped(long table) {
    deliveries.dropped(table);
    Optional.ofNullable(pages.remove(table))
        .ifPresent(
            page ->
                page.entries
                    .values()
                    .forEach(entry -> entry.waiting.forEach(call -> call.fail(gone(table)))));
  }

  private void requireRoom(TableState table) {
    Optional<TableOrder> order = decisions.orders().table(table.id());
    int pending = order.map(known -> known.pending().size()).orElse(0);
    long bytes = order.map(TableOrder::pendingBytes).orElse(0L);
    if (pending >= PENDING_MAX || bytes >= PENDING_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "table '"
              + table.definition().name()
              + "' has "
              + pending
              + " ordered updates of "
              + bytes
              + " bytes under way; nothing of this one was done");
    }
  }

  private TableState requireOrdered(SubmitUpdate request) {
    TableState table = decisions.state().tables().get(request.table());
    if (table == null) {
      throw gone(request.table());
    }
    String name = "table '" + table.definition().name() + "'";
    if (table.definition().consistency() != Consistency.ORDERED) {
      throw UniserveException.invalid(name + " has no ordered updates");
    }
    List<Integer> actors = actors(request);
    boolean each = actors.stream().allMatch(actor -> actor >= 0 && actor < table.actors().size());
    if (actors.isEmpty() || !each || !actors.equals(actors.stream().distinct().sorted().toList())) {
      throw UniserveException.invalid(name + " has not, each once, the actors " + actors);
    }
    request.portions().forEach(portion -> requireGeneration(table, portion));
    return table;
  }

  /**
   * Requires that a portion has the actor's present keys. The records of a part are not those of
   * the whole, and an actor that has ended has none.
   */
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

  private static List<Integer> actors(SubmitUpdate request) {
    return request.portions().stream().map(OrderedMessage.Portion::actor).toList();
  }

  private static UniserveException gone(long table) {
    return new UniserveException(ErrorCode.NOT_FOUND, "there is no table " + table);
  }
}
