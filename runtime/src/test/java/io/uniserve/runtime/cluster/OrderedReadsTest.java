package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reads of ordered tables that see one place in the order, in one process. */
@Timeout(120)
class OrderedReadsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int KEYS = 20;

  @TempDir Path directory;

  private static void create(LocalCluster cluster, Consistency level) {
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(4), 2, Durability.NONE, level, Map.of()),
        TIMEOUT);
  }

  private static List<Amount> amounts() {
    List<Amount> all = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      all.add(new Amount("k" + i, 1));
    }
    return all;
  }

  private static Plan<List<Long>> total() {
    return Plan.query("t", new Total(), TallyEngine.adding());
  }

  private static long sum(LocalCluster cluster, ReadLevel level) {
    return cluster.client.query(total(), new QueryOptions(TIMEOUT).withRead(level)).getFirst();
  }

  /** Has updates of all actors submitted until it is told to stop. */
  private static Thread writer(LocalCluster cluster, AtomicBoolean stopping) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try (OrderedSession session = cluster.client.session("t")) {
                while (!stopping.get()) {
                  session.submit(new Add(), amounts()).stable().join();
                }
                session.drain(TIMEOUT);
              }
            });
  }

  private static void requireWholeUpdates(LocalCluster cluster, ReadLevel level, int reads) {
    long last = 0;
    for (int i = 0; i < reads; i++) {
      long sum = sum(cluster, level);
      assertThat(sum % KEYS).as("updates are seen on all actors or on none").isZero();
      assertThat(sum).as("no read is older than the one before").isGreaterThanOrEqualTo(last);
      last = sum;
    }
  }

  @Test
  void readsOfOnePlaceSeeUpdatesOnAllActorsOrOnNoneAlsoWhenAServerEnds() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Consistency.ORDERED);
      AtomicBoolean stopping = new AtomicBoolean();
      Thread writer = writer(cluster, stopping);
      try {
        requireWholeUpdates(cluster, ReadLevel.SNAPSHOT, 100);
        requireWholeUpdates(cluster, ReadLevel.SEQUENTIAL, 30);
        cluster.kill("s1");
        requireWholeUpdates(cluster, ReadLevel.SNAPSHOT, 50);
        requireWholeUpdates(cluster, ReadLevel.SEQUENTIAL, 20);
      } finally {
        stopping.set(true);
        writer.join();
      }
    }
  }

  @Test
  void aReadSeesWhatWasAppliedBeforeItBegan() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Consistency.ORDERED);
      try (OrderedSession session = cluster.client.session("t")) {
        for (int i = 1; i <= 20; i++) {
          session.submit(new Add(), amounts()).stable().get(60, TimeUnit.SECONDS);
          assertThat(sum(cluster, ReadLevel.SNAPSHOT)).isEqualTo((long) KEYS * i);
        }
      }
    }
  }

  @Test
  void aReadOfASessionSeesAllThatWasSubmittedBeforeAndNothingThatWasSubmittedLater()
      throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Consistency.ORDERED);
      List<CompletableFuture<List<Long>>> reads = new ArrayList<>();
      try (OrderedSession session = cluster.client.session("t")) {
        for (int i = 0; i < 100; i++) {
          reads.add(session.read(total(), TIMEOUT));
          session.submit(new Add(), amounts());
        }
        for (int i = 0; i < reads.size(); i++) {
          assertThat(reads.get(i).get(60, TimeUnit.SECONDS).getFirst()).isEqualTo((long) KEYS * i);
        }
      }
    }
  }

  @Test
  void onlyOrderedTablesHaveSuchReads() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Consistency.EVENTUAL);
      assertThatThrownBy(() -> sum(cluster, ReadLevel.SNAPSHOT))
          .hasMessageContaining("table 't' is of level EVENTUAL")
          .hasMessageContaining("reads of level snapshot");
    }
  }
}
