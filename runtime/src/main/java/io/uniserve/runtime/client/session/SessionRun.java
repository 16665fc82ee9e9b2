package io.uniserve.runtime.client.session;

import io.uniserve.api.Consistency;
import io.uniserve.api.Plan;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.update.Addressed;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.Applied;
import io.uniserve.runtime.wire.OrderedMessage.AppliedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.AwaitSession;
import io.uniserve.runtime.wire.OrderedMessage.Stable;
import io.uniserve.runtime.wire.OrderedMessage.SubmitSession;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A client's side of a session (RB §5.4). It sends what is submitted, in requests of many updates
 * of which several are under way, and asks for the outcomes. Whatever a request comes to, the
 * session goes on from the first update that is not known to have a place, with the same numbers.
 */
public final class SessionRun implements OrderedSession {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  /** The time without updates after which a session begins anew, before it may be forgotten. */
  private static final Duration IDLE_MAX = UpdateKey.LIFETIME.dividedBy(2);

  private final ClientContext client;
  private final SessionOptions options;
  private final OutcomeRecall recall;
  private final ReentrantLock lock = new ReentrantLock();
  private final SendWindow window;
  private final SessionLine line;
  private final LineRun lineRun;
  private final SessionSight sight;
  private volatile TableState table;
  private Signal changed;
  private Optional<UniserveException> failure = Optional.empty();
  private Duration pause = PAUSE_MIN;
  private boolean paused;
  private boolean asking;

  /** The number of threads that tell outcomes of updates which are not open any more. */
  private int telling;

  /** The entry that was submitted last; null before the first. */
  private SessionEntry newest;

  private long newsNanos;

  /**
   * Begins a session.
   *
   * @param name the name of its table
   * @throws UniserveException if there is no such table, or it has no ordered updates
   */
  public static SessionRun of(ClientContext client, String name, SessionOptions options) {
    Deadline deadline = Deadline.after(client.environment().clock(), options.patience());
    TableState table = client.requireTable(name, deadline);
    if (table.definition().consistency() != Consistency.ORDERED) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '"
              + name
              + "' is of level "
              + table.definition().consistency()
              + "; only ordered tables have sessions");
    }
    return new SessionRun(client, table, options);
  }

  SessionRun(ClientContext client, TableState table, SessionOptions options) {
    this.client = client;
    this.table = table;
    this.options = options;
    this.window = new SendWindow(client.environment(), options);
    this.line = new SessionLine(client.environment(), options.shortWay());
    this.sight = new SessionSight(client.seen(), table.id());
    this.recall = new OutcomeRecall(client);
    this.lineRun =
        new LineRun(lock, line, sight, new LineCalls(client, recall), recall, new LineOwner());
    this.changed = client.environment().threads().signal();
    this.newsNanos = clock().nanos();
  }

  /** This session, as the entries of its line see it. */
  private final class LineOwner implements LineRun.Owner {
    @Override
    public boolean isOver() {
      return failure.isPresent();
    }

    @Override
    public boolean isStable() {
      return window.isStable();
    }

    @Override
    public void place(SessionEntry entry, long bytes) {
      SessionRun.this.place(entry, bytes);
    }

    @Override
    public void heard() {
      SessionRun.this.heard();
    }

    @Override
    public void tells() {
      telling++;
    }

    @Override
    public void told() {
      SessionRun.this.told();
    }

    @Override
    public void unmoved(UniserveException why) {
      SessionRun.this.unmoved(why);
    }

    @Override
    public void goOn() {
      pump();
    }
  }

  @Override
  public <R extends PartitionedRecord> OrderedReceipt submit(
      UpdateFunction<?, R> function, List<? extends R> records) {
    return submit(function, new Addressed.ByKey(List.copyOf(records)));
  }

  @Override
  public OrderedReceipt submitAll(UpdateFunction<?, ?> function) {
    return submit(function, new Addressed.All());
  }

  private OrderedReceipt submit(UpdateFunction<?, ?> function, Addressed addressed) {
    TableState now = table();
    if (!Consistency.ORDERED.runs(function)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          function + " is not an update of level ordered, which table '" + name() + "' has");
    }
    return submit(new SessionEntry(now, function, addressed), now, Optional.empty());
  }

  /**
   * Submits an entry.
   *
   * @param inPlaceOf the entry that this one replaces, which must still be the newest
   */
  private OrderedReceipt submit(
      SessionEntry entry, TableState now, Optional<SessionEntry> inPlaceOf) {
    if (entry.grouped(now).portions().isEmpty()) {
      entry.receipt().stable().complete(0L);
      entry
          .receipt()
          .applied()
          .complete(new OrderedOutcome(new TreeMap<>(), new TreeMap<>(), List.of()));
      return entry.receipt();
    }
    long bytes = entry.sizeBytes(client.engines());
    if (bytes > OrderedMessage.BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "an ordered update of " + bytes + " bytes, at most " + OrderedMessage.BYTES_MAX);
    }
    awaitRoom(
        bytes,
        () -> {
          if (line.takes(entry, now)) {
            line.add(entry, bytes);
          } else {
            place(entry, bytes);
          }
        },
        entry,
        inPlaceOf);
    pump();
    return entry.receipt();
  }

  /**
   * Adds an entry as soon as there is room.
   *
   * @param adding adds it; the caller of this does not hold the lock
   */
  private void awaitRoom(
      long bytes, Runnable adding, SessionEntry entry, Optional<SessionEntry> inPlaceOf) {
    Deadline deadline = Deadline.after(clock(), options.patience());
    Optional<Signal> full = add(bytes, adding, entry, inPlaceOf);
    while (full.isPresent()) {
      await(full.get(), deadline, "room in the session's window");
      full = add(bytes, adding, entry, inPlaceOf);
    }
  }

  /** Lets the send window have an entry. The caller holds the lock. */
  private void place(SessionEntry entry, long bytes) {
    if (window.isEmpty()) {
      window.renewIfIdle(IDLE_MAX);
    }
    window.add(entry, bytes);
  }

  /** Returns whether nothing waits or is under way. The caller holds the lock. */
  private boolean isIdle() {
    return window.isEmpty() && line.isEmpty();
  }

  private boolean hasRoom(long more) {
    return isIdle()
        || window.size() + line.size() < options.updatesMax()
            && window.sizeBytes() + line.sizeBytes() + more <= options.bytesMax();
  }

  @Override
  public <R> CompletableFuture<R> read(Plan<R> plan, ReadLevel level, Duration timeout) {
    SessionRead.Line line =
        switch (level) {
          case SEQUENTIAL -> this::submitRead;
          case SNAPSHOT -> this::submitMark;
          case BASIC ->
              throw new UniserveException(
                  ErrorCode.UNSUPPORTED,
                  "a basic read is in no order, so a session has none; query the table instead");
        };
    return new SessionRead<>(client, this::table, line, plan, level, timeout).begin();
  }

  /** Submits a read that has a place in the order. */
  SessionRead.Submitted submitRead(Addressed.Read addressed, Optional<SessionEntry> inPlaceOf) {
    TableState now = table();
    SessionEntry entry = SessionEntry.ofRead(now, addressed);
    CompletableFuture<Mark> mark = new CompletableFuture<>();
    if (entry.grouped(now).portions().isEmpty()) {
      mark.complete(Mark.NONE);
    } else {
      submit(entry, now, inPlaceOf)
          .stable()
          .whenComplete(
              (number, failed) -> {
                if (failed != null) {
                  mark.completeExceptionally(failed);
                } else if (number == 0) {
                  mark.completeExceptionally(
                      new UniserveException(
                          ErrorCode.VERSION_GONE,
                          "the place of a sequential read was settled before it was heard of"));
                } else {
                  mark.complete(Mark.ofPlace(number));
                }
              });
    }
    return new SessionRead.Submitted(mark, entry);
  }

  /** Submits a read of a mark. */
  private SessionRead.Submitted submitMark(
      Addressed.Read addressed, Optional<SessionEntry> inPlaceOf) {
    TableState now = table();
    SessionEntry entry = SessionEntry.ofRead(now, addressed);
    CompletableFuture<Mark> mark = new CompletableFuture<>();
    if (entry.grouped(now).portions().isEmpty()) {
      mark.complete(Mark.NONE);
    } else {
      entry
          .receipt()
          .stable()
          .exceptionally(
              failed -> {
                mark.completeExceptionally(failed);
                return 0L;
              });
      awaitRoom(0, () -> line.addRead(entry, mark::complete), entry, inPlaceOf);
      pump();
    }
    return new SessionRead.Submitted(mark, entry);
  }

  /** Adds an entry; returns what to wait for if there is no room. */
  private Optional<Signal> add(
      long bytes, Runnable adding, SessionEntry entry, Optional<SessionEntry> inPlaceOf) {
    lock.lock();
    try {
      failure.ifPresent(
          known -> {
            throw known;
          });
      // Asked each time, since others may be submitted while this one waits for room.
      if (inPlaceOf.isPresent() && inPlaceOf.get() != newest) {
        throw new UniserveException(
            ErrorCode.VERSION_GONE,
            "the place of a read can no longer be read, and the session has gone on");
      }
      if (!hasRoom(bytes)) {
        if (!options.waiting()) {
          throw new UniserveException(
              ErrorCode.EXHAUSTED,
              "the session has "
                  + (window.size() + line.size())
                  + " updates without an outcome; this one was not submitted");
        }
        return Optional.of(changed);
      }
      if (isIdle()) {
        newsNanos = clock().nanos();
      }
      adding.run();
      newest = entry;
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void await(Signal signal, Deadline deadline, String what) {
    try {
      if (!signal.await(deadline)) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED, what + ": there was none before the deadline");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, what + ": interrupted", e);
    }
  }

  @Override
  public void drain(Duration timeout) {
    Deadline deadline = Deadline.after(clock(), timeout);
    while (true) {
      Signal next;
      lock.lock();
      try {
        failure.ifPresent(
            known -> {
              throw known;
            });
        if (isIdle() && telling == 0) {
          return;
        }
        next = changed;
      } finally {
        lock.unlock();
      }
      await(next, deadline, "outcomes of a session's updates");
    }
  }

  @Override
  public boolean failed() {
    lock.lock();
    try {
      return failure.isPresent();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    fail(new UniserveException(ErrorCode.CANCELLED, "the session was closed"));
  }

  /** Sends what can be sent now. */
  private void pump() {
    List<Runnable> calls = new ArrayList<>();
    lock.lock();
    try {
      if (paused || failure.isPresent()) {
        return;
      }
      lineRun.advance(table(), calls);
      while (true) {
        Optional<Submission> next = window.next(table());
        if (next.isEmpty()) {
          break;
        }
        calls.add(() -> send(next.get()));
      }
      List<OrderedMessage.SequenceRange> awaited = asking ? List.of() : window.awaited();
      if (!awaited.isEmpty()) {
        asking = true;
        AwaitSession question = new AwaitSession(table.id(), window.name(), awaited);
        calls.add(() -> ask(question));
      }
    } finally {
      lock.unlock();
    }
    calls.forEach(Runnable::run);
  }

  /** Goes on after a pause, or fails. */
  private void unmoved(UniserveException why) {
    if (!why.retryable() || isGone()) {
      fail(why);
    } else {
      rest(why);
    }
  }

  private void send(Submission submission) {
    SubmitSession request =
        new SubmitSession(
            table.id(),
            submission.session(),
            submission.bornMillis(),
            submission.first(),
            submission.updates());
    call(
        request,
        Stable.class,
        stable -> stable(submission, stable),
        known -> missed(submission, known));
  }

  private void ask(AwaitSession question) {
    call(question, Applied.class, this::applied, this::unanswered);
  }

  private <T extends Message> void call(
      Message request, Class<T> reply, OneReply.Taker<T> answered, OneReply.Failed failed) {
    Address controller = client.controllers().deciding();
    client
        .environment()
        .transport()
        .call(
            controller,
            request,
            Deadline.after(clock(), ANSWER_TIMEOUT),
            new OneReply<>(client.controllers(), controller, reply, answered, failed));
  }

  private void stable(Submission submission, Stable answer) {
    List<Runnable> news = new ArrayList<>();
    lock.lock();
    try {
      news.addAll(window.stable(submission, answer.numbers()));
      answer.numbers().forEach(sight::sawPlace);
      newsNanos = news.isEmpty() ? newsNanos : clock().nanos();
      boolean awaited = window.ended(submission);
      if (awaited && answer.withheld().isPresent()) {
        Refusal why = answer.withheld().get();
        news.add(() -> withheld(new UniserveException(why.code(), why.message())));
      } else if (awaited) {
        pause = PAUSE_MIN;
      }
    } finally {
      lock.unlock();
    }
    news.forEach(Runnable::run);
    pump();
  }

  /** Goes on after a request that was not answered, unless its updates were sent again already. */
  private void missed(Submission submission, UniserveException why) {
    boolean awaited;
    lock.lock();
    try {
      awaited = window.ended(submission);
    } finally {
      lock.unlock();
    }
    if (awaited) {
      withheld(why);
    }
  }

  /** Goes on from the first update that is not known to have a place, after a pause. */
  private void withheld(UniserveException why) {
    if (!why.retryable() || isGone()) {
      fail(why);
      return;
    }
    lock.lock();
    try {
      window.sendAgain(why.code() == ErrorCode.EXHAUSTED);
    } finally {
      lock.unlock();
    }
    rest(why);
  }

  private void applied(Applied answer) {
    List<Runnable> news = new ArrayList<>();
    List<OutcomeRecall.Recalled> recalled = new ArrayList<>();
    lock.lock();
    try {
      asking = false;
      for (AppliedUpdate update : answer.updates()) {
        sight.sawPlace(update.happened().number());
        window
            .applied(update.sequence())
            .ifPresent(
                entry ->
                    news.add(
                        () -> {
                          entry.receipt().stable().complete(update.happened().number());
                          complete(entry, () -> recall.outcome(table, entry, update.happened()));
                        }));
      }
      for (long sequence : answer.settled()) {
        window
            .recalled(sequence)
            .ifPresent(
                entry ->
                    recalled.add(
                        new OutcomeRecall.Recalled(sequence, window.keyName(sequence), entry)));
      }
      if (!news.isEmpty()) {
        heard();
      }
      telling++;
    } finally {
      lock.unlock();
    }
    try {
      news.forEach(Runnable::run);
    } finally {
      told();
    }
    if (!recalled.isEmpty()) {
      client.environment().threads().start("outcomes of a session", () -> recall(recalled));
    }
    if (news.isEmpty() && recalled.isEmpty()) {
      requirePatience(new UniserveException(ErrorCode.UNAVAILABLE, "no update has an outcome"));
    }
    pump();
  }

  /** Tells an outcome, or why it cannot be told, as if its answers cannot be read. */
  static void complete(SessionEntry entry, Supplier<OrderedOutcome> outcome) {
    try {
      entry.receipt().applied().complete(outcome.get());
    } catch (UniserveException e) {
      entry.receipt().applied().completeExceptionally(e);
    }
  }

  /** Asks actors for outcomes that controllers have forgotten. */
  private void recall(List<OutcomeRecall.Recalled> updates) {
    for (OutcomeRecall.Recalled update : updates) {
      if (failed()) {
        return; // nobody waits any more
      }
      try {
        recalled(update, recall.ask(table(), update));
      } catch (UniserveException e) {
        if (isGone()) {
          fail(e);
          return;
        }
        lock.lock();
        try {
          window.recallAgain(update.sequence());
        } finally {
          lock.unlock();
        }
        rest(e);
      }
    }
  }

  private void recalled(OutcomeRecall.Recalled update, Optional<OrderedOutcome> outcome) {
    Optional<SessionEntry> entry;
    lock.lock();
    try {
      entry = window.applied(update.sequence());
      heard();
      telling++;
    } finally {
      lock.unlock();
    }
    try {
      if (entry.isPresent()) {
        OrderedReceipt receipt = entry.get().receipt();
        receipt.stable().complete(0L);
        outcome.ifPresentOrElse(
            receipt.applied()::complete,
            () -> receipt.applied().completeExceptionally(OutcomeRecall.lost(name())));
      }
    } finally {
      told();
    }
    pump();
  }

  /** Notes outcomes, and wakes those who wait for room. The caller holds the lock. */
  private void heard() {
    newsNanos = clock().nanos();
    pause = PAUSE_MIN;
    wake();
  }

  private void wake() {
    Signal former = changed;
    changed = client.environment().threads().signal();
    former.set();
  }

  /** Notes that outcomes were told, for those who wait until all are. */
  private void told() {
    lock.lock();
    try {
      telling--;
      if (telling == 0 && isIdle()) {
        wake();
      }
    } finally {
      lock.unlock();
    }
  }

  private void unanswered(UniserveException why) {
    lock.lock();
    try {
      asking = false;
    } finally {
      lock.unlock();
    }
    unmoved(why);
  }

  /** Returns whether the session's table is not there any more. */
  private boolean isGone() {
    return !client.state().tables().containsKey(table.id());
  }

  /** Sends nothing for a moment, which is longer each time until there is news. */
  private void rest(UniserveException why) {
    if (!requirePatience(why)) {
      return;
    }
    Duration time;
    lock.lock();
    try {
      if (paused || failure.isPresent()) {
        return;
      }
      paused = true;
      time = pause;
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
    } finally {
      lock.unlock();
    }
    clock().schedule(time, this::rested);
  }

  private void rested() {
    lock.lock();
    try {
      paused = false;
    } finally {
      lock.unlock();
    }
    pump();
  }

  /** Fails the session if there was no news for too long; returns whether it goes on. */
  private boolean requirePatience(UniserveException why) {
    boolean over;
    lock.lock();
    try {
      over = clock().nanos() - newsNanos > options.patience().toNanos() && !isIdle();
    } finally {
      lock.unlock();
    }
    if (over) {
      fail(
          new UniserveException(
              ErrorCode.UNAVAILABLE,
              "no news of a session's updates for "
                  + options.patience().toSeconds()
                  + " s: "
                  + why.getMessage(),
              why));
    }
    return !over;
  }

  private void fail(UniserveException why) {
    List<SessionEntry> open;
    lock.lock();
    try {
      if (failure.isPresent()) {
        return;
      }
      failure = Optional.of(why);
      open = new ArrayList<>(window.clear());
      open.addAll(line.clear());
      changed.set();
    } finally {
      lock.unlock();
    }
    UniserveException unknown =
        UniserveException.unknownOutcome(
            why.code(), "the outcome is unknown, it may have been applied: " + why.getMessage());
    for (SessionEntry entry : open) {
      entry.receipt().stable().completeExceptionally(unknown);
      entry.receipt().applied().completeExceptionally(unknown);
    }
  }

  /** Returns the newest state of the table, whatever table has its name by now. */
  private TableState table() {
    TableState newest = client.state().tables().getOrDefault(table.id(), table);
    table = newest;
    return newest;
  }

  private String name() {
    return table.definition().name();
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
