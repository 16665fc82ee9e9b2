package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Updates that take the short way past the order of their table, in one process. */
@Timeout(120)
class ShortWayTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;

  private static void create(LocalCluster cluster) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(4),
            2,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of()),
        TIMEOUT);
  }

  private static OrderedSession session(LocalCluster cluster) {
    return cluster.client.updates().session("t", SessionOptions.DEFAULT.withShortWay());
  }

  private static OrderedReceipt one(OrderedSession session, int number) {
    return session.submit(new Add(), List.of(new Amount("k" + number, 1)));
  }

  private static OrderedReceipt several(OrderedSession session) {
    List<Amount> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(new Amount("k" + i, 1));
    }
    return session.submit(new Add(), all);
  }

  private static Plan<List<Long>> total() {
    return Plan.query("t", new Total(), TallyEngine.adding());
  }

  private static long sum(LocalCluster cluster) {
    QueryOptions options = new QueryOptions(TIMEOUT).withRead(ReadLevel.SNAPSHOT);
    return cluster.client.query(total(), options).getFirst();
  }

  private static long head(LocalCluster cluster) {
    return cluster.client.admin().order("t", TIMEOUT).head();
  }

  @Test
  void updatesOfOneActorNeedNoPlaceAndAreAppliedInTheirOrder() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster);
      List<OrderedReceipt> receipts = new ArrayList<>();
      try (OrderedSession session = session(cluster)) {
        for (int i = 0; i < 2_000; i++) {
          receipts.add(one(session, i / 100));
        }
        session.drain(TIMEOUT);
      }
      Map<ActorId, Position> last = new TreeMap<>();
      for (OrderedReceipt receipt : receipts) {
        for (var at : receipt.applied().get().positions().entrySet()) {
          Position before = last.put(at.getKey(), at.getValue());
          assertThat(before == null || before.compareTo(at.getValue()) < 0).isTrue();
        }
      }
      assertThat(head(cluster)).as("the head of the order").isZero();
      assertThat(sum(cluster)).isEqualTo(2_000);
    }
  }

  @Test
  void readsAndUpdatesOfSeveralActorsHaveTheirPlacesBetweenThem() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster);
      long expected = 0;
      List<CompletableFuture<List<Long>>> reads = new ArrayList<>();
      List<Long> due = new ArrayList<>();
      try (OrderedSession session = session(cluster)) {
        for (int i = 0; i < 60; i++) {
          one(session, i);
          one(session, i + 1);
          expected += 2;
          if (i % 5 == 0) {
            several(session);
            expected += 20;
          }
          if (i % 3 == 0) {
            ReadLevel level = i % 2 == 0 ? ReadLevel.SNAPSHOT : ReadLevel.SEQUENTIAL;
            reads.add(session.read(total(), level, TIMEOUT));
            due.add(expected);
          }
        }
        for (int i = 0; i < reads.size(); i++) {
          assertThat(reads.get(i).get(60, TimeUnit.SECONDS).getFirst()).isEqualTo(due.get(i));
        }
        session.drain(TIMEOUT);
      }
      assertThat(sum(cluster)).isEqualTo(expected);
    }
  }

  @Test
  void nothingIsLostRepeatedOrOvertakenWhenServersEnd() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster);
      try (OrderedSession session = session(cluster)) {
        List<OrderedReceipt> receipts = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
          receipts.add(one(session, i / 10));
          if (i == 100) {
            cluster.kill("s1");
          } else if (i == 200) {
            receipts.get(150).applied().get(60, TimeUnit.SECONDS);
            cluster.start("s1");
          }
        }
        session.drain(TIMEOUT);
        for (OrderedReceipt receipt : receipts) {
          assertThat(receipt.applied().get().accepted()).isTrue();
        }
      }
      assertThat(sum(cluster)).isEqualTo(400);
    }
  }

  @Test
  void updatesGoOnWhileTheirActorIsSplit() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster);
      try (OrderedSession session = session(cluster)) {
        Thread reshaping =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int actor = 0; actor < 4; actor++) {
                        cluster.client.admin().split("t", actor, Optional.empty(), TIMEOUT);
                      }
                    });
        int submitted = 0;
        while (reshaping.isAlive()) {
          // Two keys of one actor may be two actors' after a split.
          session.submit(
              new Add(), List.of(new Amount("k" + submitted % 9, 1), new Amount("a", 1)));
          one(session, submitted % 7).stable().get(60, TimeUnit.SECONDS);
          submitted++;
        }
        session.drain(TIMEOUT);
        assertThat(sum(cluster)).isEqualTo(3L * submitted);
      }
    }
  }

  @Test
  void aRefusedUpdateIsToldAndThoseAfterItAreApplied() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster);
      try (OrderedSession session = session(cluster)) {
        one(session, 1);
        OrderedReceipt refused = session.submit(new Add(), List.of(new Amount("k1", -1)));
        OrderedReceipt after = one(session, 1);
        assertThat(refused.applied().get(60, TimeUnit.SECONDS).accepted()).isFalse();
        assertThat(after.applied().get(60, TimeUnit.SECONDS).accepted()).isTrue();
      }
      assertThat(sum(cluster)).isEqualTo(2);
    }
  }

  @Test
  void aSessionHasNoBasicReads() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster);
      try (OrderedSession session = session(cluster)) {
        assertThatThrownBy(() -> session.read(total(), ReadLevel.BASIC, TIMEOUT))
            .hasMessageContaining("a basic read is in no order");
      }
    }
  }
}
