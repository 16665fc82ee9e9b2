package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingPlacement;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes of a ring of real processes under a pipelined session of ordered updates, while servers
 * and the leading controller are killed. Nothing may be lost, doubled or reordered, and no read may
 * fail.
 */
@Tag("processes")
@Timeout(900)
class RingTest {
  private static final String TABLE = "ring";
  private static final int CONTROLLERS = 3;
  private static final int SERVERS = 5;
  private static final int ACTORS = 3;
  private static final int KEYS = 50;
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Partitioner PARTITIONER = new Partitioner.Hash(ACTORS);

  /** Updates and answers for the rest of a fault. */
  private static final int ROUND = 100;

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong submitted = new AtomicLong();
  private final AtomicLong applied = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  /** The places of the updates, in the order of their submission; 0 for one that is not known. */
  private final Queue<CompletableFuture<Long>> places = new ConcurrentLinkedQueue<>();

  private volatile boolean stopped;

  @Test
  void changesUnderKillsLoseNothing() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, CONTROLLERS, SERVERS);
        RemoteCluster remote = cluster.connect();
        RealClient real = new RealClient(cluster.controllers(), directory, tap -> tap)) {
      ClusterClient client = real.client();
      client
          .tables()
          .createTable(
              new TableDefinition(
                  TABLE,
                  ModelEngine.NAME,
                  PARTITIONER,
                  2,
                  Durability.NONE,
                  Consistency.ORDERED,
                  Map.of()),
              new RingPlacement(List.of("s1", "s2", "s3")),
              Duration.ofSeconds(120));
      try {
        threads.execute(() -> update(client));
        threads.execute(() -> read(client));
        awaitWork();
        change(client, new RingChange.Expand("s4", RingPlaces.parse(PARTITIONER, "0.5")));
        change(client, new RingChange.Contract("s2"));
        strike(cluster, client, "s1");
        change(client, new RingChange.Replace("s3", "s5"));
        change(client, new RingChange.Expand("s2", RingPlaces.parse(PARTITIONER, "1.5")));
        strike(cluster, client, cluster.leader(remote));
        change(client, new RingChange.Rebalance("s2", RingPlaces.parse(PARTITIONER, "2.5")));
        strike(cluster, client, "s4");
        long last = ring(client).submitted();
        Waiting.until("all changes", () -> ring(client).queue().isEmpty());
        assertThat(ring(client).ended()).extracting(RingState.Ended::number).contains(last);
        awaitWork();
      } finally {
        stopped = true;
        threads.close();
      }
      System.out.printf(
          "%d updates, the longest took %d ms; %d reads, %d failed; changes: %s%n",
          applied.get(),
          Duration.ofNanos(longestNanos.get()).toMillis(),
          reads.get(),
          failures.size(),
          ring(client).ended());
      assertThat(failures).isEmpty();
      judge(journals(client));
    }
  }

  private static RingState ring(ClusterClient client) {
    return client.state().table(TABLE).flatMap(TableState::ring).orElseThrow();
  }

  private static void change(ClusterClient client, RingChange change) {
    client.admin().changeRing(TABLE, change, Optional.empty(), Duration.ofSeconds(60));
  }

  /** Kills a process while the ring changes, and starts it again. */
  private void strike(ProcessCluster cluster, ClusterClient client, String victim)
      throws IOException {
    long first = ring(client).submitted();
    Waiting.until(
        "the beginning of a change",
        () ->
            ring(client).queue().isEmpty()
                || ring(client).queue().getFirst().placed()
                || ring(client).queue().getFirst().number() == first);
    cluster.kill(victim);
    awaitWork();
    cluster.start(victim);
    cluster.await("all copies", ProcessCluster::ready);
    awaitWork();
  }

  /** Waits for updates and reads that begin and end after this moment. */
  private void awaitWork() {
    long updates = submitted.get() + ROUND;
    long answers = reads.get() + 2;
    Waiting.until(
        "updates and reads",
        () -> !failures.isEmpty() || applied.get() >= updates && reads.get() >= answers);
  }

  /** Submits updates of two keys each, and waits for none. */
  private void update(ClusterClient client) {
    try (OrderedSession session = client.session(TABLE)) {
      while (!stopped) {
        long number = submitted.incrementAndGet();
        long began = System.nanoTime();
        OrderedReceipt receipt =
            session.submit(
                new AppendOperations(),
                List.of(
                    new Operation(number % KEYS, 2 * number),
                    new Operation(number * 7 % KEYS, 2 * number + 1)));
        places.add(receipt.stable());
        receipt
            .applied()
            .thenAccept(
                outcome -> {
                  if (!outcome.accepted()) {
                    failures.add("update " + number + " was refused: " + outcome);
                  }
                  longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
                  applied.incrementAndGet();
                });
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      session.drain(Duration.ofSeconds(120));
    } catch (UniserveException e) {
      failures.add("the session failed: " + e.getMessage());
    }
  }

  private void read(ClusterClient client) {
    while (!stopped) {
      try {
        journals(client);
        reads.incrementAndGet();
      } catch (UniserveException e) {
        failures.add("a read failed: " + e.code() + " " + e.getMessage());
      }
      Waiting.think();
    }
  }

  private static SortedMap<Integer, List<Operation>> journals(ClusterClient client) {
    return client.query(
        Plan.query(TABLE, new ReadJournal(1_000), new JournalsByActor()), QueryOptions.DEFAULT);
  }

  /** Checks that each operation was applied once, and those of each key in their order. */
  private void judge(SortedMap<Integer, List<Operation>> journals) {
    Map<Long, Long> last = new TreeMap<>();
    long count = 0;
    for (List<Operation> journal : journals.values()) {
      for (Operation operation : journal) {
        Long before = last.put(operation.key(), operation.number());
        assertThat(before == null || before < operation.number())
            .as("%s after number %s of its key", operation, before)
            .isTrue();
        count++;
      }
    }
    assertThat(count).as("operations in all journals").isEqualTo(2 * submitted.get());
    assertThat(applied.get()).isEqualTo(submitted.get());
    // a kill may lose the answer that tells a place, which is then told as 0
    assertThat(places.stream().map(CompletableFuture::join).filter(place -> place != 0).toList())
        .as("places in the order")
        .isNotEmpty()
        .isSorted()
        .doesNotHaveDuplicates();
  }
}
