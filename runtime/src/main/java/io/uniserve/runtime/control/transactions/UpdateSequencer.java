package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.OrderChange;
import io.uniserve.runtime.control.log.OrderedUpdate;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.OrderReport;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The order book: it takes ordered updates, gives them their places in the control log, has them
 * delivered, and answers (RB §5.5). The waiting callers and the received updates are only in the
 * coordinator's memory. The next coordinator delivers everything again that is not settled, and
 * clients ask it again. Only for the deciding thread.
 */
public final class UpdateSequencer {
  private final Decisions decisions;
  private final OrderAdmission admission;
  private final OrderHolds holds;
  private final HeldRequests held;
  private final Deliveries deliveries;
  private final SessionDesk desk;
  private final MarkDesk marks;
  private final NavigableMap<Long, OrderPage> pages = new TreeMap<>();

  /**
   * @param holds the holds of actors for which nothing is ordered
   */
  public UpdateSequencer(
      Environment environment, Decisions decisions, Engines engines, OrderHolds holds) {
    this.decisions = decisions;
    this.admission = new OrderAdmission(environment.clock(), decisions, engines, holds);
    this.holds = holds;
    this.held = new HeldRequests(environment.clock(), decisions);
    holds.whenReleased(held::released);
    this.deliveries =
        new Deliveries(
            environment,
            decisions,
            new Deliveries.Listener() {
              @Override
              public void got(ActorId actor, Result result) {
                Outcome outcome =
                    new Outcome(
                        actor.number(), result.position(), result.refusal(), result.answers());
                pages.get(actor.table()).got(result.number(), outcome);
              }

              @Override
              public void lost(ActorId actor, long after) {
                pages.get(actor.table()).lost(actor.number(), after);
              }

              @Override
              public void told() {
                desk.tell();
                if (!holds.tables().isEmpty()) {
                  // the answer that was told of may go on to say what its actor has lost
                  decisions.submit(UpdateSequencer.this::settleHeld);
                }
              }
            });
    this.marks = new MarkDesk(decisions, deliveries);
    this.desk =
        new SessionDesk(
            environment.clock(),
            decisions,
            admission,
            held,
            new SessionDesk.Book() {
              @Override
              public List<OrderEntry> place(OrderChange change) {
                return UpdateSequencer.this.place(change);
              }

              @Override
              public void settle(long table) {
                UpdateSequencer.this.settle(table);
              }

              @Override
              public Optional<OrderPage> page(long table) {
                return Optional.ofNullable(pages.get(table));
              }
            });
  }

  /** Gives a read a mark, and sends it to the actors that are to be read. */
  public void mark(OrderedMessage.AskMark request, Incoming call) {
    marks.ask(admission.requireOrdered(request.table()), request, call);
  }

  /** Tells how far the order of a table is, and what waits. */
  public void report(OrderedMessage.AskOrder request, Incoming call) {
    admission.requireOrdered(request.table());
    DeferredReply.answer(
        call,
        decisions
            .orders()
            .table(request.table())
            .map(UpdateSequencer::report)
            .orElse(new OrderReport(0, 0, 0, List.of())));
  }

  /** Tells which update has gone to each actor of a table. */
  public void placed(OrderedMessage.AskPlaced request, Incoming call) {
    TableState table = admission.requireOrdered(request.table());
    Optional<TableOrder> order = decisions.orders().table(request.table());
    List<Long> byActor =
        IntStream.range(0, table.actors().size())
            .mapToObj(actor -> order.map(known -> known.last(actor)).orElse(0L))
            .toList();
    DeferredReply.answer(call, new PlacedUpdates(order.map(TableOrder::last).orElse(0L), byActor));
  }

  private static OrderReport report(TableOrder order) {
    List<OrderedMessage.Backlog> slowest =
        order.backlogs().entrySet().stream()
            .map(
                each ->
                    new OrderedMessage.Backlog(
                        each.getKey(), each.getValue().updates(), each.getValue().sizeBytes()))
            .sorted(Comparator.comparingInt(OrderedMessage.Backlog::updates).reversed())
            .limit(OrderReport.SLOWEST_MAX)
            .toList();
    return new OrderReport(order.last(), order.pending().size(), order.pendingBytes(), slowest);
  }

  /**
   * Drops an update on which an actor stalls: actors that have not applied it refuse it.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if no actor stalls on it
   */
  public void drop(TableState table, long number) {
    if (!deliveries.isStalledAt(table.id(), number)) {
      throw UniserveException.invalid(
          "no actor of table '"
              + table.definition().name()
              + "' stalls at ordered update "
              + number);
    }
    decisions.order(new OrderChange.Dropped(table.id(), number));
    decisions.whenCommitted(() -> deliveries.drop(table.id(), number));
  }

  /** Continues the deliveries of a former coordinator. */
  public void begin() {
    for (var table : decisions.orders().tables().entrySet()) {
      table.getValue().pending().stream()
          .map(OrderedUpdate::number)
          .filter(table.getValue()::isDropped)
          .forEach(number -> deliveries.drop(table.getKey(), number));
      table.getValue().pending().forEach(this::open);
      deliveries.committed(table.getKey(), table.getValue().last());
    }
  }

  /** Settles updates that all actors have received, and turns to new primaries. */
  public void check() {
    List.copyOf(pages.keySet()).forEach(this::settle);
    deliveries.check();
    desk.check();
    held.check();
  }

  /**
   * Settles what a split or merge waits for as soon as all actors have received it, since nothing
   * is placed meanwhile with which that could be.
   */
  private void settleHeld() {
    for (long table : holds.tables()) {
      settle(table);
      holds.tellIfSettled(table);
    }
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
    TableState table = admission.requireOrdered(request.table());
    admission.requireActors(table, request.portions());
    Optional<OrderEntry> known =
        Optional.ofNullable(pages.get(table.id()))
            .flatMap(page -> page.withKey(request.key().name()));
    known.ifPresent(entry -> request.key().requireSame(entry.update().update().key().body()));
    Optional<OrderEntry> same =
        known.filter(entry -> entry.update().actors().equals(actors(request)));
    Optional<UniserveException> why =
        same.isPresent() ? Optional.empty() : admission.held(table, request.portions());
    if (why.isPresent()) {
      held.add(table.id(), call, () -> submitLater(request, call), () -> call.fail(why.get()));
      return;
    }
    OrderEntry entry = same.orElseGet(() -> place(table, request));
    Single single = new Single(call);
    entry.await(single);
    call.onCancel(() -> decisions.submit(() -> single.cancel(entry)));
  }

  private void submitLater(SubmitUpdate request, Incoming call) {
    try {
      submit(request, call);
    } catch (UniserveException e) {
      call.fail(e);
    }
  }

  private OrderEntry place(TableState table, SubmitUpdate request) {
    settle(table.id());
    return place(admission.admit(table, request)).getFirst();
  }

  private List<OrderEntry> place(OrderChange change) {
    List<OrderedUpdate> placed = decisions.order(change);
    List<OrderEntry> entries = placed.stream().map(this::open).toList();
    long last = placed.getLast().number();
    decisions.whenCommitted(() -> deliveries.committed(change.table(), last));
    return entries;
  }

  /** A caller who waits for one update. */
  private static final class Single implements OrderEntry.Waiter {
    private final Incoming call;
    private boolean over;

    Single(Incoming call) {
      this.call = call;
    }

    @Override
    public void happened(OrderEntry entry) {
      over = true;
      DeferredReply.tell(call, entry.answer());
    }

    @Override
    public void gone(UniserveException why) {
      over = true;
      call.fail(why);
    }

    private void cancel(OrderEntry entry) {
      if (!over) {
        entry.forget(this);
        DeferredReply.cancelled(call);
      }
    }
  }

  /**
   * Orders updates of a session.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the session or its table is not
   *     known any more
   */
  public void submit(OrderedMessage.SubmitSession request, Incoming call) {
    desk.submit(request, call);
  }

  /** Tells a session the outcomes of its updates, once there are any. */
  public void await(OrderedMessage.AwaitSession request, Incoming call) {
    desk.await(request, call);
  }

  private OrderEntry open(OrderedUpdate update) {
    OrderPage page = pages.computeIfAbsent(update.update().table(), absent -> new OrderPage());
    deliveries.add(update);
    return page.open(update);
  }

  /**
   * Settles received updates. That is a part of one entry of the log, together with the next placed
   * updates or at the next check.
   */
  private void settle(long table) {
    OrderPage page = pages.get(table);
    if (page == null) {
      return;
    }
    for (OrderedUpdate update : page.takeHappened()) {
      decisions.order(new OrderChange.Settled(table, update.number()));
      deliveries.settled(update);
    }
    if (page.isEmpty()) {
      pages.remove(table);
    }
  }

  /** Turns to the primary of an actor if that is another one now. */
  public void turn(ActorId actor) {
    deliveries.turn(actor);
  }

  /** Forgets a dropped table and its updates. */
  public void dropped(long table) {
    deliveries.dropped(table);
    marks.dropped(table);
    UniserveException why = decisions.state().gone(table);
    Optional.ofNullable(pages.remove(table)).ifPresent(page -> page.gone(why));
    desk.dropped(table);
  }

  private static List<Integer> actors(SubmitUpdate request) {
    return request.portions().stream().map(OrderedMessage.Portion::actor).toList();
  }
}
