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
import io.uniserve.runtime.client.Backups.Restored;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Sums;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ordered updates, in one process and with real time. */
@Timeout(60)
class OrderedTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int ACTORS = 4;

  @TempDir Path directory;

  private static void create(LocalCluster cluster, int replicas, Durability durability) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(ACTORS),
            replicas,
            durability,
            Consistency.ORDERED,
            Map.of()),
        TIMEOUT);
  }

  private static List<Amount> amounts(int count, long amount) {
    List<Amount> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Amount("k" + i, amount));
    }
    return all;
  }

  private static UpdateReceipt add(LocalCluster cluster, String table, String key, long amount) {
    return cluster.client.update(table, new Add(), amounts(20, amount), options(key));
  }

  private static UpdateOptions options(String key) {
    return new UpdateOptions(TIMEOUT, UpdateOptions.Acknowledgement.PRIMARY, Optional.of(key));
  }

  private static long sum(LocalCluster cluster, String table) {
    return cluster
        .client
        .query(Plan.query(table, new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  private static Map<String, Long> sums(LocalCluster cluster) {
    return cluster.client.query(
        Plan.query("t", new Sums(), TallyEngine.collecting()), QueryOptions.DEFAULT);
  }

  private static boolean whole(LocalCluster cluster, int replicas) {
    return cluster.client.state().requireTable("t").actors().stream()
        .allMatch(
            actor ->
                cluster.client.state().alive(actor.primary())
                    && actor.copies().size() == replicas
                    && actor.copies().stream().allMatch(copy -> copy.status() == Status.READY));
  }

  @Test
  void anUpdateBeforeWhichTheActorLacksAnotherIsNotAppliedAndItSaysHowFarItIs() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1, Durability.NONE);
      ActorId actor = cluster.client.state().requireTable("t").actorId(0);
      Deliver gap = new Deliver(actor, 0, List.of(delivery(2, 1, 1)));
      assertThat(deliver(cluster, gap)).isEqualTo(new Delivered(List.of(), Optional.of(0L)));
      assertThat(sum(cluster, "t")).isZero();

      Deliver both = new Deliver(actor, 0, List.of(delivery(1, 0, 0), delivery(2, 1, 1)));
      assertThat(deliver(cluster, both).results())
          .extracting(Result::number)
          .containsExactly(1L, 2L);
      assertThat(sum(cluster, "t")).isEqualTo(2);
    }
  }

  private static Delivery delivery(long number, long previous, long after) {
    return new Delivery(
        new OrderPlace(number, previous, List.of(0)),
        after,
        1,
        UpdateKey.of("update-" + number),
        Payload.of("tally", new Add()),
        Payload.of("tally", List.of(new Amount("k", 1))));
  }

  /** Asks a server that may not have heard yet that the actor is made. */
  private static Delivered deliver(LocalCluster cluster, Deliver message) throws IOException {
    while (true) {
      try {
        return cluster.ask("s1", message, Delivered.class);
      } catch (UniserveException e) {
        assertThat(e.retryable()).as(e.getMessage()).isTrue();
      }
    }
  }

  @Test
  void anUpdateReachesAllItsActorsAndIsSeenByEveryLaterRead() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 2, Durability.NONE);
      for (int i = 1; i <= 30; i++) {
        assertThat(add(cluster, "t", "u" + i, i).positions()).hasSize(ACTORS);
        assertThat(sum(cluster, "t")).isEqualTo(20L * i * (i + 1) / 2);
      }
    }
  }

  @Test
  void manyClientsUpdateAtTheSameTime() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 2, Durability.NONE);
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      List<Thread> clients = new ArrayList<>();
      for (int c = 0; c < 8; c++) {
        String name = "c" + c;
        clients.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (int i = 0; i < 20; i++) {
                          add(cluster, "t", name + "-" + i, 1);
                        }
                      } catch (RuntimeException e) {
                        failures.add(e);
                      }
                    }));
      }
      for (Thread client : clients) {
        client.join();
      }
      assertThat(failures).isEmpty();
      assertThat(sum(cluster, "t")).isEqualTo(8 * 20 * 20L);
    }
  }

  @Test
  void anUpdateSentTwiceHappensOnceAlsoAfterFailoverAndRestart() throws Exception {
    UpdateReceipt first;
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 2, Durability.NONE);
      first = add(cluster, "t", "once", 5);
      assertThat(add(cluster, "t", "once", 5)).isEqualTo(first);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1") && whole(cluster, 2));
      assertThat(add(cluster, "t", "once", 5)).isEqualTo(first);
      add(cluster, "t", "other", 1);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      cluster.await(state -> whole(cluster, 2));
      assertThat(add(cluster, "t", "once", 5)).isEqualTo(first);
      add(cluster, "t", "third", 2);
      assertThat(sum(cluster, "t")).isEqualTo(20 * (5 + 1 + 2));
    }
  }

  @Test
  void whatOneActorRefusesHappensOnTheOthersAndTheAnswerSaysSoEachTime() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2, Durability.NONE);
      List<Amount> some = amounts(20, 1);
      int refusing = new Partitioner.Hash(ACTORS).actorOf(some.getFirst().partitionKey());
      some.add(new Amount(some.getFirst().key(), -1));
      long kept =
          some.stream()
              .filter(a -> new Partitioner.Hash(ACTORS).actorOf(a.partitionKey()) != refusing)
              .count();
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> cluster.client.update("t", new Add(), some, options("partly")))
            .isInstanceOfSatisfying(
                UniserveException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
            .hasMessageContaining("'" + some.getFirst().key() + "'")
            .hasMessageContaining("refused by actors [" + refusing + "]");
        assertThat(sum(cluster, "t")).isEqualTo(kept);
      }
      add(cluster, "t", "after", 1);
      assertThat(sum(cluster, "t")).isEqualTo(kept + 20);
    }
  }

  @Test
  void anActorStallsWhereItsEngineFailsUntilAnOperatorDropsTheUpdate() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2, Durability.NONE);
      add(cluster, "t", "before", 1);
      try (OrderedSession session = cluster.client.session("t")) {
        OrderedReceipt bad =
            session.submit(new Add(), List.of(new Amount("k0", 6_666_666), new Amount("k1", 10)));
        OrderedReceipt after = session.submit(new Add(), amounts(20, 1));
        long number = bad.stable().get(20, TimeUnit.SECONDS);
        assertThatThrownBy(() -> cluster.client.admin().dropUpdate("t", number + 1, TIMEOUT))
            .hasMessageContaining("no actor of table 't' stalls at ordered update");
        UniserveException early = null;
        do {
          try {
            cluster.client.admin().dropUpdate("t", number, TIMEOUT);
            early = null;
          } catch (UniserveException e) {
            assertThat(e).hasMessageContaining("no actor of table 't' stalls");
            early = e;
          }
        } while (early != null);
        assertThat(bad.applied().get(50, TimeUnit.SECONDS).refusals().values())
            .singleElement()
            .satisfies(refusal -> assertThat(refusal.message()).contains("an operator dropped"));
        assertThat(after.applied().get(20, TimeUnit.SECONDS).accepted()).isTrue();
      }
      assertThat(sums(cluster)).containsEntry("k0", 2L).hasSize(20);
    }
  }

  @Test
  void anUpdateWaitsForAnActorWithoutRoomAndOthersDoNot() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, Durability.NONE);
      String full = cluster.client.state().requireTable("t").actors().getFirst().primary();
      TallyEngine.FULL.add(full);
      try {
        UpdateOptions briefly =
            new UpdateOptions(
                Duration.ofMillis(500),
                UpdateOptions.Acknowledgement.PRIMARY,
                Optional.of("waits"));
        assertThatThrownBy(() -> cluster.client.update("t", new Add(), amounts(20, 1), briefly))
            .isInstanceOfSatisfying(
                UniserveException.class, e -> assertThat(e.retryable()).isTrue());
      } finally {
        TallyEngine.FULL.remove(full);
      }
      add(cluster, "t", "waits", 1);
      assertThat(sum(cluster, "t")).as("the one that waited happened once").isEqualTo(20);
    }
  }

  @Test
  void aRestoredTableHasWholeUpdatesAndTheirKeys() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, Durability.SYNCHRONOUS);
      for (int i = 1; i <= 10; i++) {
        add(cluster, "t", "u" + i, i);
      }
      cluster
          .client
          .backups()
          .restore(
              new Restore(
                  List.of("t"), Optional.empty(), Optional.of("again"), OptionalInt.empty()),
              TIMEOUT);
      add(cluster, "again", "u7", 7);
      add(cluster, "again", "new", 100);
      assertThat(sum(cluster, "again")).isEqualTo(20 * (55 + 100));
      assertThat(sum(cluster, "t")).isEqualTo(20 * 55);
    }
  }

  private static Restore restore(Optional<Instant> moment, String name) {
    return new Restore(List.of("t"), moment, Optional.of(name), OptionalInt.empty());
  }

  @Test
  void aMomentIsNotRestoredWhileTheCutWouldLeaveOutWhatWasAcknowledgedByThen() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, Durability.SYNCHRONOUS);
      add(cluster, "t", "before", 1);
      TableState table = cluster.client.state().requireTable("t");
      String held = table.actors().getFirst().primary();
      List<Amount> elsewhere =
          amounts(20, 100).stream()
              .filter(
                  amount ->
                      !table
                          .actors()
                          .get(table.definition().partitioner().actorOf(amount.partitionKey()))
                          .primary()
                          .equals(held))
              .toList();
      Instant moment;
      TallyEngine.HELD.add(held);
      try (OrderedSession session = cluster.client.session("t")) {
        OrderedReceipt waits;
        try {
          waits = session.submit(new Add(), amounts(20, 10));
          assertThat(session.submit(new Add(), elsewhere).applied().get(20, TimeUnit.SECONDS))
              .matches(OrderedOutcome::accepted);
          moment = Instant.now();
          assertThatThrownBy(
                  () ->
                      cluster
                          .client
                          .backups()
                          .restore(restore(Optional.of(moment), "then"), TIMEOUT))
              .isInstanceOfSatisfying(
                  UniserveException.class,
                  e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
              .hasMessageContaining("the durable store lacks update 2 of ")
              .hasMessageContaining("without a moment");
        } finally {
          TallyEngine.HELD.remove(held);
        }
        assertThat(waits.applied().get(20, TimeUnit.SECONDS)).matches(OrderedOutcome::accepted);
      }
      Restored then =
          cluster
              .client
              .backups()
              .restore(restore(Optional.of(moment), "then"), TIMEOUT)
              .getFirst();
      assertThat(then.leftOut()).isEmpty();
      assertThat(sum(cluster, "then")).isEqualTo(20 * 11 + 100L * elsewhere.size());
    }
  }
}
