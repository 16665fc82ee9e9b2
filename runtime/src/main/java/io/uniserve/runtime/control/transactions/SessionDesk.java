package io.uniserve.runtime.control.transactions;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.OrderChange;
import io.uniserve.runtime.control.log.OrderChange.OfSession;
import io.uniserve.runtime.control.log.OrderSessions;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.wire.OrderedMessage.AwaitSession;
import io.uniserve.runtime.wire.OrderedMessage.SequenceRange;
import io.uniserve.runtime.wire.OrderedMessage.SessionUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Stable;
import io.uniserve.runtime.wire.OrderedMessage.SubmitSession;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The coordinator's side of the sessions of ordered tables (RB §5.4, §5.5). It gives updates of a
 * session their places in the order of their sequence, each once, however often and in whatever
 * order they come. Only for the deciding thread.
 */
final class SessionDesk {
  /** The number of requests of one session that may wait for those before them. */
  private static final int EARLY_MAX = 8;

  /** The number of sequence numbers that one question may name. */
  private static final long AWAITED_MAX = 100_000;

  /** The time for which a request waits for those before it, and a question for an outcome. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The time for which outcomes are kept of a session that neither submits nor asks. */
  private static final Duration KEPT = Duration.ofSeconds(30);

  /** The size of all outcomes that are kept; beyond it, those of idle sessions are forgotten. */
  private static final long KEPT_BYTES_MAX = 64L << 20;

  /** The order book, as sessions need it. */
  interface Book {
    /** Gives updates their places. */
    List<OrderEntry> place(OrderChange change);

    void settle(long table);

    Optional<OrderPage> page(long table);
  }

  /** A request that came before those that precede it. */
  private record Early(SubmitSession request, Incoming call, long sinceNanos) {}

  /** A session of a table. */
  private record Name(long table, Hash session) {}

  private final Clock clock;
  private final Decisions decisions;
  private final OrderAdmission admission;
  private final HeldRequests held;
  private final Book book;
  private final Map<Hash, NavigableMap<Long, Early>> early = new LinkedHashMap<>();

  /** The outcomes of each session, those of the session that was idle longest first. */
  private final SequencedMap<Name, SessionOutcomes> outcomes = new LinkedHashMap<>();

  /** The sessions with a question that has an answer which was not sent yet. */
  private final Set<SessionOutcomes> answerable = new LinkedHashSet<>();

  private long keptBytes;

  private final SessionOutcomes.Listener listener =
      new SessionOutcomes.Listener() {
        @Override
        public void answerable(SessionOutcomes session) {
          answerable.add(session);
        }

        @Override
        public void keeps(long moreBytes) {
          keptBytes += moreBytes;
        }
      };

  SessionDesk(
      Clock clock, Decisions decisions, OrderAdmission admission, HeldRequests held, Book book) {
    this.clock = clock;
    this.decisions = decisions;
    this.admission = admission;
    this.held = held;
    this.book = book;
  }

  void submit(SubmitSession request, Incoming call) {
    TableState table = admission.requireOrdered(request.table());
    if (request.first() < 1 || request.updates().isEmpty()) {
      throw UniserveException.invalid(
          "a session's request with "
              + request.updates().size()
              + " updates from number "
              + request.first());
    }
    if (request.first() > placed(request) + 1) {
      waitForThoseBefore(request, call);
      return;
    }
    Optional<UniserveException> why =
        request.first() == placed(request) + 1
            ? admission.held(table, request.updates().getFirst().portions())
            : Optional.empty();
    if (why.isPresent()) {
      Refusal refusal = new Refusal(why.get().code(), String.valueOf(why.get().getMessage()));
      held.add(
          table.id(),
          call,
          () -> submitLater(request, call),
          () -> DeferredReply.answer(call, new Stable(List.of(), Optional.of(refusal))));
      return;
    }
    DeferredReply.answer(call, place(table, request));
    early(request).ifPresent(next -> submitLater(next.request(), next.call()));
  }

  private void submitLater(SubmitSession request, Incoming call) {
    try {
      submit(request, call);
    } catch (UniserveException e) {
      call.fail(e);
    }
  }

  private long placed(SubmitSession request) {
    return mark(request.table(), request.session()).map(OrderSessions.Mark::placed).orElse(0L);
  }

  private Optional<OrderSessions.Mark> mark(long table, Hash session) {
    return decisions.orders().table(table).flatMap(order -> order.sessions().mark(session));
  }

  private Stable place(TableState table, SubmitSession request) {
    book.settle(table.id());
    long placed = placed(request);
    int known = (int) Math.min(placed - request.first() + 1, request.updates().size());
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < known; i++) {
      numbers.add(numberOf(table.id(), request.session(), request.first() + i));
    }
    List<SessionUpdate> fresh = request.updates().subList(known, request.updates().size());
    List<OrderChange.Item> items = new ArrayList<>();
    Optional<Refusal> withheld = Optional.empty();
    try {
      if (placed == 0) {
        requireBegun(table, request);
      }
      for (SessionUpdate update : fresh) {
        admission.requireActors(table, update.portions());
        items.add(admission.item(table, update.function(), update.portions()));
      }
    } catch (UniserveException e) {
      withheld = Optional.of(new Refusal(e.code(), String.valueOf(e.getMessage())));
    }
    if (!items.isEmpty()) {
      long before = decisions.orders().table(table.id()).map(TableOrder::last).orElse(0L);
      List<OrderEntry> entries =
          book.place(
              new OfSession(
                  table.id(),
                  admission.timeMillis(table),
                  request.session(),
                  request.first() + known,
                  table.definition().engine(),
                  items));
      SessionOutcomes session = outcomes(new Name(table.id(), request.session()));
      entries.forEach(entry -> session.await(entry, clock.nanos()));
      for (int i = 1; i <= items.size(); i++) {
        numbers.add(before + i);
      }
    }
    return new Stable(numbers, withheld);
  }

  /**
   * Requires that a session which has placed nothing, as far as is known, has not been forgotten.
   */
  private void requireBegun(TableState table, SubmitSession request) {
    long timeMillis = admission.timeMillis(table);
    if (timeMillis - request.bornMillis() > OrderSessions.LIFETIME.toMillis()) {
      throw expired(request.session());
    }
    decisions
        .orders()
        .table(table.id())
        .filter(order -> !order.sessions().hasRoom(timeMillis))
        .ifPresent(
            order -> {
              throw new UniserveException(
                  ErrorCode.EXHAUSTED,
                  "table '"
                      + table.definition().name()
                      + "' has "
                      + order.sessions().size()
                      + " sessions; nothing of this one was done");
            });
  }

  private static UniserveException expired(Hash session) {
    return new UniserveException(
        ErrorCode.NOT_FOUND,
        "session "
            + session
            + " has placed no update for "
            + OrderSessions.LIFETIME.toMinutes()
            + " minutes and is forgotten");
  }

  private long numberOf(long table, Hash session, long sequence) {
    return entry(table, session, sequence).map(entry -> entry.update().number()).orElse(0L);
  }

  private Optional<OrderEntry> entry(long table, Hash session, long sequence) {
    return book.page(table).flatMap(page -> page.withKey(OfSession.keyName(session, sequence)));
  }

  private void waitForThoseBefore(SubmitSession request, Incoming call) {
    NavigableMap<Long, Early> waiting =
        early.computeIfAbsent(request.session(), absent -> new TreeMap<>());
    if (waiting.size() >= EARLY_MAX && !waiting.containsKey(request.first())) {
      withhold(request, call);
      return;
    }
    Early former = waiting.put(request.first(), new Early(request, call, clock.nanos()));
    if (former != null) {
      withhold(former.request(), former.call());
    }
  }

  /** Answers a request whose predecessors have not come. */
  private void withhold(SubmitSession request, Incoming call) {
    boolean unknown = mark(request.table(), request.session()).isEmpty();
    boolean old =
        clock.now().toEpochMilli() - request.bornMillis() > OrderSessions.LIFETIME.toMillis();
    if (unknown && old) {
      call.fail(expired(request.session()));
      return;
    }
    Refusal gap =
        new Refusal(
            ErrorCode.UNAVAILABLE,
            "updates of the session before number " + request.first() + " have not come");
    DeferredReply.answer(call, new Stable(List.of(), Optional.of(gap)));
  }

  /** Returns a request that waited for the present one, if it can be taken now. */
  private Optional<Early> early(SubmitSession present) {
    NavigableMap<Long, Early> waiting = early.get(present.session());
    if (waiting == null || waiting.firstKey() > placed(present) + 1) {
      return Optional.empty();
    }
    Early next = waiting.pollFirstEntry().getValue();
    if (waiting.isEmpty()) {
      early.remove(present.session());
    }
    return Optional.of(next);
  }

  void await(AwaitSession request, Incoming call) {
    admission.requireOrdered(request.table());
    long placed =
        mark(request.table(), request.session())
            .map(OrderSessions.Mark::placed)
            .orElseThrow(() -> expired(request.session()));
    long asked = request.awaited().stream().mapToLong(SessionDesk::size).sum();
    if (asked < 1 || asked > AWAITED_MAX || request.awaited().getLast().last() > placed) {
      throw UniserveException.invalid(
          "a session's question for " + request.awaited() + ", of which " + placed + " are placed");
    }
    SessionOutcomes session = outcomes(new Name(request.table(), request.session()));
    session.ask(
        request.awaited(),
        sequence -> entry(request.table(), request.session(), sequence),
        call,
        clock.nanos());
    call.onCancel(() -> decisions.submit(() -> session.cancel(call)));
    tell();
  }

  /** Returns the outcomes of a session, which is not idle. */
  private SessionOutcomes outcomes(Name name) {
    SessionOutcomes session = outcomes.get(name);
    if (session == null) {
      session = new SessionOutcomes(name.table(), name.session(), listener, clock.nanos());
    }
    outcomes.putLast(name, session);
    return session;
  }

  private static long size(SequenceRange range) {
    return Math.max(0, range.last() - range.first() + 1);
  }

  /** Sends the answers that became known. */
  void tell() {
    answerable.forEach(SessionOutcomes::answer);
    answerable.clear();
    while (keptBytes > KEPT_BYTES_MAX) {
      SessionOutcomes eldest = outcomes.pollFirstEntry().getValue();
      eldest.answer();
      eldest.forget();
    }
  }

  /** Answers those who have waited for long, and forgets sessions that are not used any more. */
  void check() {
    long nanos = clock.nanos();
    for (SessionOutcomes session : outcomes.values()) {
      session
          .askedNanos()
          .filter(since -> nanos - since > PATIENCE.toNanos())
          .ifPresent(since -> answerable.add(session));
    }
    tell();
    outcomes.values().removeIf(session -> isIdle(session, nanos));
    for (NavigableMap<Long, Early> waiting : List.copyOf(early.values())) {
      for (Early request : List.copyOf(waiting.values())) {
        if (nanos - request.sinceNanos() > PATIENCE.toNanos()) {
          waiting.remove(request.request().first());
          withhold(request.request(), request.call());
        }
      }
    }
    early.values().removeIf(Map::isEmpty);
  }

  private static boolean isIdle(SessionOutcomes session, long nanos) {
    boolean idle = session.askedNanos().isEmpty() && nanos - session.usedNanos() > KEPT.toNanos();
    if (idle) {
      session.forget();
    }
    return idle;
  }

  /** Forgets the requests for a dropped table. */
  void dropped(long table) {
    UniserveException why = decisions.state().gone(table);
    for (SessionOutcomes session : List.copyOf(outcomes.values())) {
      if (session.table() == table) {
        session.gone(why);
      }
    }
    outcomes.values().removeIf(session -> session.table() == table);
    answerable.removeIf(session -> session.table() == table);
    for (NavigableMap<Long, Early> waiting : List.copyOf(early.values())) {
      for (Early request : List.copyOf(waiting.values())) {
        if (request.request().table() == table) {
          waiting.remove(request.request().first());
          request.call().fail(why);
        }
      }
    }
    early.values().removeIf(Map::isEmpty);
  }
}
