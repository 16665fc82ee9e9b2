package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Waiting;
import io.uniserve.runtime.cluster.TallyOperators.ByKey;
import io.uniserve.runtime.cluster.TallyOperators.HeldGather;
import io.uniserve.runtime.cluster.TallyOperators.ReadSheet;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ServerStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads and plans that wait for a server which is given up, and which does not end its calls, as
 * one that reaches nobody. They go on elsewhere, long before their deadline.
 */
@Timeout(120)
class GivenUpServerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final QueryOptions DEADLINE = new QueryOptions(Duration.ofSeconds(100));
  private static final long SOON_SECONDS = 30;

  @TempDir Path directory;

  @AfterEach
  void release() {
    TallyEngine.READS_HELD.clear();
    TallyEngine.READS_BEGUN.set(0);
    TallyOperators.GATHERS_HELD.set(0);
    TallyOperators.GATHERS_WAITING.set(0);
  }

  private static void table(LocalCluster cluster, String name, int actors, int replicas) {
    cluster.client.createTable(
        new TableDefinition(
            name, "tally", new Partitioner.Hash(actors), replicas, Durability.NONE, Map.of()),
        TIMEOUT);
  }

  /** Lets another life of a server join, so that its present one is given up. */
  private static void giveUp(LocalCluster cluster, String server) throws Exception {
    long before = cluster.client.state().servers().get(server).incarnation();
    cluster.submit(
        new Join(cluster.client.state().cluster(), server, new Address(server)), Joined.class);
    cluster.await(state -> state.servers().get(server).incarnation() > before);
  }

  private static String other(String server) {
    return server.equals("s1") ? "s2" : "s1";
  }

  /** Returns the server that runs the one operator that runs. */
  private static String running(LocalCluster cluster) {
    return cluster.client.view().statuses(TIMEOUT).stream()
        .filter(status -> status.operatorsRunning() > 0)
        .map(ServerStatus::server)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aReadGoesOnAtAnotherCopy() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      table(cluster, "t", 1, 2);
      cluster.client.update("t", new Add(), List.of(new Amount("k", 7)), UpdateOptions.ALL_COPIES);
      TallyEngine.READS_HELD.addAll(List.of("s1", "s2"));
      CompletableFuture<List<Long>> read =
          CompletableFuture.supplyAsync(
              () ->
                  cluster.client.query(
                      Plan.query("t", new Waiting(), TallyEngine.adding()), DEADLINE));
      cluster.await(state -> TallyEngine.READS_BEGUN.get() > 0);
      String asked = running(cluster);
      TallyEngine.READS_HELD.remove(other(asked));
      assertThat(TallyEngine.READS_BEGUN).as("copies asked so far").hasValue(1);
      giveUp(cluster, asked);
      assertThat(read.get(SOON_SECONDS, TimeUnit.SECONDS)).containsExactly(7L, 1L);
    }
  }

  /** Its chunks and its gather are lost with the server, so the plan begins again. */
  @Test
  void aPlanBeginsAgainAtOtherCopies() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      table(cluster, "t", 8, 2);
      table(cluster, "anchor", 1, 2);
      List<Amount> amounts = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        amounts.add(new Amount("k" + i, i));
      }
      cluster.client.update("t", new Add(), amounts, UpdateOptions.ALL_COPIES);
      TallyOperators.GATHERS_HELD.set(1);
      Source source =
          new Source.Gathered(
              List.of(new Source.Scattered(Source.table("t"), new ByKey(1))),
              Optional.of(Source.table("anchor")),
              new HeldGather());
      CompletableFuture<Map<String, Long>> query =
          CompletableFuture.supplyAsync(
              () ->
                  cluster.client.query(
                      new Plan.Query<>(source, new ReadSheet(), TallyEngine.collecting()),
                      DEADLINE));
      cluster.await(state -> TallyOperators.GATHERS_WAITING.get() > 0);
      giveUp(cluster, running(cluster));
      assertThat(query.get(SOON_SECONDS, TimeUnit.SECONDS)).hasSize(40).containsEntry("k39", 39L);
    }
  }
}
