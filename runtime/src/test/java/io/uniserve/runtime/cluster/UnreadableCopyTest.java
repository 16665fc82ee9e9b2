package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.QueryMessage;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.entry.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy whose server does not hear for a while that the copy counts as unreadable. */
@Timeout(60)
class UnreadableCopyTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int UPDATES = 50;

  @TempDir Path directory;

  private static void add(LocalCluster cluster, long amount) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k", amount)),
        new UpdateOptions(TIMEOUT, Acknowledgement.ALL_COPIES, Optional.empty()));
  }

  private static ActorState actor(LocalCluster cluster) {
    return cluster.client.state().requireTable("t").actors().getFirst();
  }

  /** Asks a copy itself for the total. */
  private static QueryMessage read(LocalCluster cluster, String server) throws IOException {
    Retrieve request =
        new Retrieve(
            cluster.client.state().requireTable("t").id(),
            List.of(0),
            List.of(),
            Payload.of("tally", new Total()),
            false,
            Optional.empty());
    return cluster.ask(server, request, QueryMessage.class);
  }

  private static Object total(LocalCluster cluster, String server) throws IOException {
    Retrieved answer = (Retrieved) read(cluster, server);
    return answer.values().getFirst().value(cluster.engines);
  }

  @AfterEach
  void makeRoom() {
    TallyEngine.FULL.clear();
  }

  @Test
  void itAnswersNoReadUntilItsServerHasHeardOfItsOwnReport() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(
          new TableDefinition("t", "tally", new Partitioner.Hash(1), 2, Durability.NONE, Map.of()),
          TIMEOUT);
      add(cluster, 7);
      String primary = actor(cluster).primary();
      String follower = primary.equals("s1") ? "s2" : "s1";
      assertThat(total(cluster, follower)).isEqualTo(7L);

      cluster.news(primary).hold();
      cluster.news(follower).hold();
      TallyEngine.FULL.add(follower);
      CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> add(cluster, 1));
      cluster.await(
          state -> actor(cluster).copies().stream().anyMatch(it -> it.status() == Status.LOADING));
      TallyEngine.FULL.remove(follower);
      waiting.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      // The copy is level again with a primary that has not heard of the report either. Once that
      // has, it waits for the copy no more.
      cluster.news(primary).release();
      for (int i = 1; i <= UPDATES; i++) {
        add(cluster, 1);
        assertThat(read(cluster, follower)).isInstanceOf(Unretrieved.class);
      }

      cluster.news(follower).release();
      cluster.await(
          state -> actor(cluster).copies().stream().allMatch(it -> it.status() == Status.READY));
      assertThat(total(cluster, follower)).isEqualTo(8L + UPDATES);
    }
  }
}
