package io.uniserve.runtime.control.log;

import io.uniserve.api.codec.Encoder;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decision.Receipt;
import io.uniserve.runtime.control.log.LogOperation.BatchHeader;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions of one leader's term: the one thread that decides, and the state that it decides
 * upon. That state runs ahead of the log by the decisions that are not committed yet. Tasks run one
 * after another in the order in which they were submitted, so a decision never races with another.
 *
 * <p>All tasks that wait are run together as a <em>batch</em>, whose decisions become one entry of
 * the log. The effects of a batch, its answers first, wait until its entry is committed. If it
 * decided nothing, they wait until a majority has confirmed that this controller still leads. They
 * also wait for all batches before it. So nobody hears of a decision that is not committed, and a
 * deposed leader answers nothing. Once a single entry fails, the term ends.
 *
 * <p>Answers {@linkplain #isInNoHurry in no hurry}, such as those to heartbeats, wait a moment for
 * others. One confirmation then serves all of them; alone, each would need messages to all
 * controllers and back.
 */
public final class Decisions {
  private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);

  /**
   * The number of tasks that may wait. More are refused, since their senders would time out anyway.
   */
  private static final int WAITING_MAX = 100_000;

  private static final int BATCHES_MAX = 64;
  private static final int BATCH_TASKS_MAX = 1_000;
  private static final int BATCH_BYTES_MAX = 64 << 10;
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  /** The time for which an answer may wait for others; a small part of a lease. */
  public static final Duration NO_HURRY = Duration.ofMillis(50);

  private final LinkedBlockingQueue<Runnable> arrived = new LinkedBlockingQueue<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final Deque<CommitBatch> batches = new ArrayDeque<>();

  /** The calls that have not ended. */
  private final Set<DeferredReply> open = new LinkedHashSet<>();

  private final Environment environment;
  private final Quorum quorum;
  private final ReplicatedState ahead;
  private final long term;
  private final Signal ended;
  private volatile boolean stopping;

  private CommitBatch batch = new CommitBatch();
  private boolean hurries = true;
  private boolean launchDue;
  private Encoder entry;
  private List<ControlRecord> records = new ArrayList<>();
  private List<OrderChange> orders = new ArrayList<>();
  private List<byte[]> messages = new ArrayList<>();
  private Optional<Receipt> receipt = Optional.empty();

  /**
   * @param quorum commits decisions
   * @param state the state at the beginning of the term; used by nobody else
   * @param term the index of the entry that began the term
   */
  public Decisions(Environment environment, Quorum quorum, ReplicatedState state, long term) {
    this.environment = environment;
    this.quorum = quorum;
    this.ahead = state;
    this.term = term;
    this.ended = environment.threads().signal();
  }

  public void start() {
    environment.threads().start("coordinator", this::run);
  }

  /** Ends the term without answers. Callers that wait ask another controller. */
  public void stop() {
    stopping = true;
    arrived.add(() -> {});
  }

  /** Waits for the end of the present task. */
  public void awaitEnd() {
    try {
      ended.await(Deadline.after(environment.clock(), STOP_TIMEOUT));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the term: no later one has a smaller number. */
  public long term() {
    return term;
  }

  /** Returns the state after the last decision, committed or not. */
  public ClusterState state() {
    return ahead.cluster();
  }

  /**
   * Runs a part of the present task. Its failure does not affect other parts. Only for the deciding
   * thread.
   */
  public void attempt(Runnable part) {
    runOne(part);
  }

  /** Runs a task on the deciding thread, later. */
  public void submit(Runnable task) {
    arrived.add(() -> runOne(task));
  }

  /**
   * Runs a task for a caller, who is told if it fails. The call that the task is given holds its
   * answer back until everything that the task may have seen is committed.
   */
  public void submit(Incoming call, Consumer<Incoming> task) {
    if (arrived.size() > WAITING_MAX) {
      call.fail(
          new UniserveException(
              ErrorCode.OVERLOADED, "the coordinator has " + arrived.size() + " tasks waiting"));
      return;
    }
    if (stopping) {
      DeferredReply.redirect(call);
    } else {
      arrived.add(new CallTask(open, new DeferredReply(call, this), task));
    }
  }

  /**
   * Adds records to the decisions of the present task. They become true if the term lasts. Only for
   * the deciding thread.
   */
  public void record(List<ControlRecord> added) {
    ahead.apply(added);
    records.addAll(added);
  }

  /**
   * Changes the order of a table's updates, if the term lasts. Only for the deciding thread.
   *
   * @return the updates that were placed
   */
  public List<OrderedUpdate> order(OrderChange change) {
    orders.add(change);
    return ahead.orders().apply(change);
  }

  /** Returns the order of updates after the last decision. Only for the deciding thread. */
  public Orders orders() {
    return ahead.orders();
  }

  /** Gives messages their places in the total order. Only for the deciding thread. */
  public long order(List<byte[]> added) {
    long first = ahead.messages() + messages.size() + 1;
    messages.addAll(added);
    return first;
  }

  public Sessions sessions() {
    return ahead.sessions();
  }

  /** Remembers the answer to a request that must be done once. Only for the deciding thread. */
  public void remember(Receipt answered) {
    receipt = Optional.of(answered);
  }

  /**
   * Runs an effect on the deciding thread once everything decided so far is committed. Only such
   * effects are visible to other processes.
   */
  public void whenCommitted(Runnable effect) {
    batch.add(effect, hurries);
  }

  /**
   * Lets the answers of the present task wait for {@link #NO_HURRY}. Only for the deciding thread.
   */
  public void isInNoHurry() {
    hurries = false;
  }

  /** Forgets a call that has ended. */
  void ended(DeferredReply call) {
    open.remove(call);
  }

  private void run() {
    try {
      while (!stopping) {
        waiting.add(arrived.take());
        arrived.drainTo(waiting);
        while (!stopping && !waiting.isEmpty()) {
          runBatch();
          arrived.drainTo(waiting);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.forEach(DeferredReply::lose);
      arrived.drainTo(waiting);
      waiting.forEach(Decisions::lose);
      ended.set();
    }
  }

  private void runBatch() throws InterruptedException {
    entry = null;
    for (int i = 0;
        i < BATCH_TASKS_MAX && !waiting.isEmpty() && batchBytes() < BATCH_BYTES_MAX;
        i++) {
      waiting.poll().run();
      hurries = true;
      closeDecision();
    }
    if (entry != null || batch.hurries()) {
      launch();
    } else if (!batch.isEmpty() && !launchDue) {
      launchDue = true;
      environment.clock().schedule(NO_HURRY, () -> arrived.add(this::launchNow));
    }
    while (batches.size() >= BATCHES_MAX && !stopping) {
      Runnable next = arrived.take();
      if (next instanceof Settled settled) {
        settled.run();
      } else {
        waiting.add(next);
      }
    }
  }

  /**
   * Launches the present batch. It may be a later one than the one whose time is up; it then waits
   * for less.
   */
  private void launchNow() {
    launchDue = false;
    batch.hurry();
  }

  private int batchBytes() {
    return entry == null ? 0 : entry.size();
  }

  private void closeDecision() {
    if (!records.isEmpty() || !orders.isEmpty() || !messages.isEmpty() || receipt.isPresent()) {
      if (entry == null) {
        entry = LogOperation.begin(new BatchHeader(term, ahead.countBatch()));
      }
      // Records and orders are part of the state already.
      ahead.apply(new Decision(List.of(), List.of(), messages, receipt));
      LogOperation.add(new Decision(records, orders, messages, receipt), entry);
      records = new ArrayList<>();
      orders = new ArrayList<>();
      messages = new ArrayList<>();
      receipt = Optional.empty();
    }
  }

  private void launch() {
    CommitBatch launched = batch;
    batch = new CommitBatch();
    batches.add(launched);
    if (entry == null) {
      quorum.confirmLeadership(failure -> arrived.add(new Settled(launched, failure)));
    } else {
      quorum.propose(entry.toByteArray(), failure -> arrived.add(new Settled(launched, failure)));
    }
  }

  /** The end of a batch, passed to the deciding thread. */
  private final class Settled implements Runnable {
    private final CommitBatch settled;
    private final Optional<Throwable> failure;

    Settled(CommitBatch settled, Optional<Throwable> failure) {
      this.settled = settled;
      this.failure = failure;
    }

    @Override
    public void run() {
      if (failure.isPresent()) {
        LOG.info("term {} is over: {}", term, failure.get().toString());
        stopping = true;
        quorum.termEnded(term);
        return;
      }
      settled.settle();
      while (!batches.isEmpty() && batches.peek().settled()) {
        batches.poll().succeed(Decisions::runOne);
      }
    }
  }

  private static void lose(Runnable task) {
    if (task instanceof CallTask call) {
      call.held().lose();
    }
  }

  /** A task for a caller. */
  private record CallTask(Set<DeferredReply> open, DeferredReply held, Consumer<Incoming> task)
      implements Runnable {
    @Override
    public void run() {
      open.add(held);
      try {
        task.accept(held);
      } catch (UniserveException e) {
        held.fail(e);
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        LOG.error("a decision failed", e);
        held.fail(UniserveException.of(e));
      }
    }
  }

  /**
   * Runs a task. A defect, of an engine or a policy for example, costs this decision and no later
   * one.
   */
  private static void runOne(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.error("a decision failed", e);
    }
  }
}
