package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The updates and reads of one session, which are submitted without waiting for them. Nobody else
 * updates its keys, so all answers are known: an update answers with the numbers that its keys were
 * given last, and a read sees all that was submitted before it, and nothing later.
 */
final class SessionLoad implements AutoCloseable {
  private static final String TABLE = "sessions";
  private static final int ACTORS = 6;
  private static final int KEYS = 40;
  private static final int READ_ONE_IN = 50;

  /** The share of updates of two keys on the short way. */
  private static final int OF_TWO_ONE_IN = 10;

  /** The number of updates of one key after which a session on the short way takes another. */
  private static final int KEY_STAYS_FOR = 4;

  /**
   * The window of a session on the short way. Such a session waits wherever it turns to another
   * actor, so it falls behind its submissions, and a large window would take minutes to empty.
   */
  private static final int SHORT_WINDOW = 64;

  private static final long WINDOW_BYTES = 1L << 20;
  private static final Duration PAUSE = Duration.ofMillis(4);
  private static final Duration TIMEOUT = Duration.ofSeconds(120);

  private final ClusterClient client;
  private final String table;
  private final Way way;

  /** The number last given to each key. */
  private final Map<Long, Long> last = new HashMap<>();

  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong applied = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong readsGone = new AtomicLong();

  /** The places of the updates, in the order of their submission; 0 for one that is not known. */
  private final Queue<CompletableFuture<Long>> places = new ConcurrentLinkedQueue<>();

  private final Queue<CompletableFuture<?>> readsUnderWay = new ConcurrentLinkedQueue<>();
  private final Thread submitting;
  private long operations;
  private volatile long submitted;

  private volatile boolean stopped;

  /** The way of a session's updates. */
  enum Way {
    /** All have places in the order; each has two keys. */
    ORDER(0),
    /** Most have one key, and go past the order. */
    SHORT(1_000);

    private final long firstKey;

    Way(long firstKey) {
      this.firstKey = firstKey;
    }

    private boolean has(long key) {
      return key >= firstKey && key < firstKey + KEYS;
    }
  }

  /** Begins a session with a table of its own. */
  SessionLoad(ClusterClient client) {
    this(client, created(client), Way.ORDER);
  }

  /**
   * Begins a session with a table in which only one session goes each way.
   *
   * @param table the name of an ordered table
   */
  SessionLoad(ClusterClient client, String table, Way way) {
    this.client = client;
    this.table = table;
    this.way = way;
    submitting = Thread.ofVirtual().start(this::submit);
  }

  private static String created(ClusterClient client) {
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(ACTORS),
            2,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    Waiting.forTable(TABLE, () -> client.createTable(table, TIMEOUT));
    return TABLE;
  }

  private void submit() {
    SessionOptions options =
        way == Way.SHORT
            ? SessionOptions.DEFAULT.withShortWay().withWindow(SHORT_WINDOW, WINDOW_BYTES)
            : SessionOptions.DEFAULT;
    try (OrderedSession session = client.updates().session(table, options)) {
      while (!stopped) {
        update(session);
        if (submitted % READ_ONE_IN == 0) {
          read(session);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      session.drain(TIMEOUT);
      readsUnderWay.forEach(CompletableFuture::join);
    } catch (UniserveException e) {
      failures.add("the session failed: " + e.getMessage());
    }
  }

  private void update(OrderedSession session) {
    long number = submitted + 1;
    List<Operation> some = operations(number);
    List<Object> answers = some.stream().map(this::before).toList();
    submitted = number;
    long began = System.nanoTime();
    OrderedReceipt receipt = session.submit(new AppendOperations(), some);
    places.add(receipt.stable());
    receipt.applied().thenAccept(outcome -> look(number, outcome, answers, began));
  }

  private List<Operation> operations(long number) {
    List<Long> keys = new ArrayList<>();
    if (way == Way.ORDER || number % OF_TWO_ONE_IN == 0) {
      long one = number % KEYS;
      keys.add(one);
      keys.add((one + 1 + number * 7 % (KEYS - 1)) % KEYS);
    } else {
      keys.add(number / KEY_STAYS_FOR * 7 % KEYS);
    }
    return keys.stream()
        .map(key -> new Operation(way.firstKey + key, way.ordinal() + 2 * ++operations))
        .toList();
  }

  private Object before(Operation operation) {
    Long before = last.put(operation.key(), operation.number());
    return before == null ? 0L : before;
  }

  private void look(long number, OrderedOutcome outcome, List<Object> answers, long began) {
    if (!outcome.accepted() || !outcome.answers().equals(answers)) {
      failures.add("update " + number + ": " + outcome + " instead of " + answers);
    }
    longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
    applied.incrementAndGet();
  }

  private void read(OrderedSession session) {
    boolean marked = submitted % (2 * READ_ONE_IN) == 0;
    long due = operations;
    readsUnderWay.add(
        session
            .read(journals(), marked ? ReadLevel.SNAPSHOT : ReadLevel.SEQUENTIAL, TIMEOUT)
            .handle(
                (journals, failure) -> {
                  if (failure == null) {
                    look(due, journals.values());
                  } else if (UniserveException.of(failure).retryable()) {
                    readsGone.incrementAndGet();
                  } else {
                    failures.add("a read of the session failed: " + failure);
                  }
                  return null;
                }));
  }

  /** Checks that a read has seen exactly the first operations. */
  private void look(long due, Collection<List<Operation>> journals) {
    List<Long> seen =
        journals.stream()
            .flatMap(List::stream)
            .filter(operation -> way.has(operation.key()))
            .map(Operation::number)
            .sorted()
            .toList();
    long newest = seen.isEmpty() ? way.ordinal() : seen.getLast();
    if (seen.size() != due || newest != way.ordinal() + 2 * due) {
      failures.add(
          "a read after " + due + " operations has seen " + seen.size() + ", up to " + newest);
    }
    reads.incrementAndGet();
  }

  private Plan<SortedMap<Integer, List<Operation>>> journals() {
    return Plan.query(table, new ReadJournal(1_000), new JournalsByActor());
  }

  /** Returns the name of the table. */
  String table() {
    return table;
  }

  long submitted() {
    return submitted;
  }

  /** Returns whether something has not gone as it should. */
  boolean failed() {
    return !failures.isEmpty();
  }

  /** Waits for so many updates that are submitted from now on. */
  void await(int updates) {
    long wanted = submitted + updates;
    Waiting.until("updates of the session", () -> failed() || applied.get() >= wanted);
  }

  /** Ends the session, and checks that each update was applied once, in order, and answered so. */
  void finish() {
    close();
    System.out.println(this);
    assertThat(failures).isEmpty();
    assertThat(applied.get()).isEqualTo(submitted);
    assertThat(reads.get()).as("reads of the session").isPositive();
    requireSorted(
        places.stream().map(CompletableFuture::join).filter(place -> place != 0).toList());
    SortedMap<Integer, List<Operation>> journals =
        Waiting.forAnswer(
            "the journals", () -> client.query(journals(), new QueryOptions(TIMEOUT)));
    Map<Long, Long> newest = new HashMap<>();
    for (List<Operation> journal : journals.values()) {
      for (Operation operation : journal) {
        Long before = newest.put(operation.key(), operation.number());
        assertThat(before == null || before < operation.number())
            .as("%s after number %s of its key", operation, before)
            .isTrue();
      }
    }
    look(operations, journals.values());
    assertThat(failures).isEmpty();
  }

  /**
   * Checks places. A fault may lose the answer that tells one, and what takes the short way is told
   * the one before it.
   */
  private void requireSorted(List<Long> known) {
    assertThat(known).as("places in the order").isNotEmpty().isSorted();
    if (way == Way.ORDER) {
      assertThat(known).doesNotHaveDuplicates();
    }
  }

  @Override
  public String toString() {
    return String.format(
        "%d updates of a session, way %s, the longest took %d ms; %d of its reads answered, %d gone",
        applied.get(),
        way,
        Duration.ofNanos(longestNanos.get()).toMillis(),
        reads.get(),
        readsGone.get());
  }

  @Override
  public void close() {
    stopped = true;
    try {
      submitting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
