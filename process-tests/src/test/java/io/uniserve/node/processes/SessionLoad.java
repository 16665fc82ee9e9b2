package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Updates of two keys each that one session submits without waiting for them. Nobody else updates
 * the table, so the answer of each is known: the numbers that were last given to its keys.
 */
final class SessionLoad implements AutoCloseable {
  private static final String TABLE = "sessions";
  private static final int ACTORS = 6;
  private static final int KEYS = 20;
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(120);

  private final ClusterClient client;
  private final Map<Long, Long> last = new HashMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong applied = new AtomicLong();
  private final Thread submitting;
  private volatile long submitted;
  private volatile boolean stopped;

  SessionLoad(ClusterClient client) {
    this.client = client;
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
    submitting = Thread.ofVirtual().start(this::submit);
  }

  private void submit() {
    try (OrderedSession session = client.session(TABLE)) {
      while (!stopped) {
        long number = submitted + 1;
        Operation one = new Operation(number % KEYS, 2 * number);
        Operation other = new Operation(KEYS + number * 7 % KEYS, 2 * number + 1);
        List<Object> answers = List.of(before(one), before(other));
        session
            .submit(new AppendOperations(), List.of(one, other))
            .applied()
            .thenAccept(outcome -> look(number, outcome, answers));
        submitted = number;
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      session.drain(TIMEOUT);
    } catch (UniserveException e) {
      failures.add("the session failed: " + e.getMessage());
    }
  }

  private long before(Operation operation) {
    Long before = last.put(operation.key(), operation.number());
    return before == null ? 0 : before;
  }

  private void look(long number, OrderedOutcome outcome, List<Object> answers) {
    if (!outcome.accepted() || !outcome.answers().equals(answers)) {
      failures.add("update " + number + ": " + outcome + " instead of " + answers);
    }
    applied.incrementAndGet();
  }

  /** Waits for so many updates that are submitted from now on. */
  void await(int updates) {
    long wanted = submitted + updates;
    Waiting.until("updates of the session", () -> !failures.isEmpty() || applied.get() >= wanted);
  }

  /** Ends the session, and checks that each update was applied once, in order, and answered so. */
  void finish() {
    close();
    assertThat(failures).isEmpty();
    assertThat(applied.get()).isEqualTo(submitted);
    SortedMap<Integer, List<Operation>> journals =
        Waiting.forAnswer(
            "the journals",
            () ->
                client.query(
                    Plan.query(TABLE, new ReadJournal(1_000), new JournalsByActor()),
                    new QueryOptions(TIMEOUT)));
    for (List<Operation> journal : journals.values()) {
      assertThat(journal.stream().map(Operation::number).toList())
          .isSorted()
          .doesNotHaveDuplicates();
    }
    assertThat(journals.values().stream().mapToInt(List::size).sum()).isEqualTo(2 * submitted);
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
