package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
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
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of ordered tables, in one process and with real time. */
@Timeout(120)
class OrderedSessionTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int ACTORS = 4;

  @TempDir Path directory;

  private static void create(LocalCluster cluster, Consistency level, int replicas) {
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(ACTORS), replicas, Durability.NONE, level, Map.of()),
        TIMEOUT);
  }

  private static long sum(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  private static OrderedReceipt add(OrderedSession session, int number) {
    return session.submit(
        new Add(), List.of(new Amount("k" + number % 7, 1), new Amount("k" + number % 5, 1)));
  }

  private static OrderedOutcome outcome(OrderedReceipt receipt) throws Exception {
    return receipt.applied().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  /** Requires that actors have updates in the order in which these were submitted. */
  private static void requireOrder(List<OrderedReceipt> receipts) throws Exception {
    Map<ActorId, Position> last = new TreeMap<>();
    long number = 0;
    for (OrderedReceipt receipt : receipts) {
      for (var position : outcome(receipt).positions().entrySet()) {
        Position before = last.put(position.getKey(), position.getValue());
        assertThat(before == null || before.compareTo(position.getValue()) < 0)
            .as("%s before %s", before, position)
            .isTrue();
      }
      long place = receipt.stable().get();
      if (place > 0) {
        assertThat(place).isGreaterThan(number);
        number = place;
      }
    }
  }

  @Test
  void updatesAreAppliedInTheOrderOfTheirSubmissionWithoutAWait() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Consistency.ORDERED, 2);
      List<OrderedReceipt> receipts = new ArrayList<>();
      try (OrderedSession session = cluster.client.session("t")) {
        for (int i = 0; i < 3_000; i++) {
          receipts.add(add(session, i));
        }
        session.drain(TIMEOUT);
      }
      requireOrder(receipts);
      assertThat(sum(cluster)).isEqualTo(6_000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoDrainsASessionFindsAllOutcomesTold(boolean shortWay) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Consistency.ORDERED, 2);
      SessionOptions options =
          shortWay ? SessionOptions.DEFAULT.withShortWay() : SessionOptions.DEFAULT;
      AtomicInteger told = new AtomicInteger();
      try (OrderedSession session = cluster.client.updates().session("t", options)) {
        for (int i = 0; i < 100; i++) {
          add(session, i)
              .applied()
              .thenRun(
                  () -> {
                    LockSupport.parkNanos(1_000_000); // who does not wait for this is ahead of it
                    told.incrementAndGet();
                  });
        }
        session.drain(TIMEOUT);
        assertThat(told).hasValue(100);
      }
    }
  }

  @Test
  void nothingIsLostRepeatedOrOvertakenWhenServersEnd() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Consistency.ORDERED, 2);
      List<OrderedReceipt> receipts = new ArrayList<>();
      try (OrderedSession session =
          cluster.client.updates().session("t", SessionOptions.DEFAULT.withWindow(50, 1 << 20))) {
        for (int i = 0; i < 600; i++) {
          receipts.add(add(session, i));
          if (i == 100) {
            cluster.kill("s1");
          } else if (i == 300) {
            cluster.start("s1");
          } else if (i == 400) {
            outcome(receipts.get(350));
          }
        }
        session.drain(TIMEOUT);
      }
      requireOrder(receipts);
      assertThat(sum(cluster)).isEqualTo(1_200);
    }
  }

  @Test
  void manySessionsAreThereAtOnceAndEachHasItsOrder() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Consistency.ORDERED, 2);
      List<OrderedSession> sessions = new ArrayList<>();
      List<List<OrderedReceipt>> receipts = new ArrayList<>();
      for (int s = 0; s < 1_024; s++) {
        sessions.add(cluster.client.session("t"));
        receipts.add(new ArrayList<>());
      }
      for (int i = 0; i < 4; i++) {
        for (int s = 0; s < sessions.size(); s++) {
          receipts.get(s).add(add(sessions.get(s), i));
        }
      }
      for (int s = 0; s < sessions.size(); s++) {
        sessions.get(s).drain(TIMEOUT);
        requireOrder(receipts.get(s));
        sessions.get(s).close();
      }
      assertThat(sum(cluster)).isEqualTo(1_024 * 8);
    }
  }

  @Test
  void whatAnActorRefusesIsAnOutcomeAndKeepsNothingBack() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Consistency.ORDERED, 2);
      try (OrderedSession session = cluster.client.session("t")) {
        OrderedReceipt refused = session.submit(new Add(), List.of(new Amount("k0", -1)));
        OrderedReceipt after = session.submit(new Add(), List.of(new Amount("k0", 5)));
        assertThat(outcome(after).accepted()).isTrue();
        assertThat(outcome(refused).refusals().values().iterator().next().message())
            .contains("'k0'");
      }
      assertThat(sum(cluster)).isEqualTo(5);
    }
  }

  @Test
  void aFullWindowIsRefusedIfAskedToAndOtherSessionsGoOn() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Consistency.ORDERED, 1);
      Partitioner partitioner = new Partitioner.Hash(ACTORS);
      var actors = cluster.client.state().requireTable("t").actors();
      String full = actors.get(partitioner.actorOf(new Amount("k0", 1).partitionKey())).primary();
      String free = "";
      for (int k = 1; free.isEmpty(); k++) {
        int actor = partitioner.actorOf(new Amount("k" + k, 1).partitionKey());
        free = actors.get(actor).primary().equals(full) ? "" : "k" + k;
      }
      TallyEngine.FULL.add(full);
      try (OrderedSession slow =
              cluster
                  .client
                  .updates()
                  .session("t", SessionOptions.DEFAULT.withWindow(3, 1 << 20).failingWhenFull());
          OrderedSession other = cluster.client.session("t")) {
        List<OrderedReceipt> receipts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          receipts.add(slow.submit(new Add(), List.of(new Amount("k0", 1))));
        }
        assertThatThrownBy(() -> slow.submit(new Add(), List.of(new Amount("k0", 1))))
            .isInstanceOfSatisfying(
                UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXHAUSTED));
        assertThat(receipts.getLast().stable().get(60, TimeUnit.SECONDS))
            .as("long before it is applied")
            .isPositive();
        assertThat(outcome(other.submit(new Add(), List.of(new Amount(free, 1)))).accepted())
            .isTrue();
        assertThat(receipts.getFirst().applied()).isNotDone();
        TallyEngine.FULL.remove(full);
        slow.drain(TIMEOUT);
        requireOrder(receipts);
      } finally {
        TallyEngine.FULL.remove(full);
      }
      assertThat(sum(cluster)).isEqualTo(4);
    }
  }

  @Test
  void aSessionThatIsClosedSaysThatOutcomesAreUnknownAndOtherLevelsHaveNone() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, Consistency.EVENTUAL, 1);
      assertThatThrownBy(() -> cluster.client.session("t")).hasMessageContaining("EVENTUAL");
      cluster.client.dropTable("t", TIMEOUT);
      create(cluster, Consistency.ORDERED, 1);
      OrderedSession session = cluster.client.session("t");
      outcome(add(session, 1));
      session.close();
      assertThatThrownBy(() -> add(session, 2)).hasMessageContaining("closed");
    }
  }
}
