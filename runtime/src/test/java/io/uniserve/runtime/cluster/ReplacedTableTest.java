package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Waiting;
import io.uniserve.runtime.wire.QueryMessage;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that lives and does not hear that another table has taken the place of a lost one, of
 * which it has an actor.
 */
@Timeout(120)
class ReplacedTableTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void noCopyOfTheNewTableIsReadyWhileOneOfTheLostTableAnswers() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      cluster.client.createTable(
          new TableDefinition(
              "t",
              "tally",
              new Partitioner.Hash(4),
              1,
              Durability.ASYNCHRONOUS,
              Consistency.ORDERED,
              Map.of()),
          TIMEOUT);
      List<Amount> amounts = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        amounts.add(new Amount("k" + i, i));
      }
      cluster.client.update("t", new Add(), amounts, UpdateOptions.DEFAULT);
      cluster.client.backups().backUp("t", TIMEOUT);
      TableState lost = cluster.client.state().requireTable("t");
      String gone = lost.actors().getFirst().primary();
      int kept =
          lost.living().keySet().stream()
              .filter(actor -> !lost.actors().get(actor).primary().equals(gone))
              .findFirst()
              .orElseThrow();
      String late = lost.actors().get(kept).primary();
      assertThat(read(cluster, late, lost, kept)).isInstanceOf(Retrieved.class);
      cluster.kill(gone);
      cluster.await(state -> !state.alive(gone));
      cluster.news(late).hold();
      CompletableFuture<TableState> recovered =
          CompletableFuture.supplyAsync(() -> cluster.client.backups().recover("t", TIMEOUT));
      cluster.await(
          state ->
              state.table("t").filter(table -> table.id() != lost.id()).isPresent()
                  && state.requireTable("t").actors().stream().anyMatch(ReplacedTableTest::ready));
      assertThat(read(cluster, late, lost, kept)).isInstanceOf(Unretrieved.class);
      cluster.news(late).release();
      assertThat(recovered.get().id()).isNotEqualTo(lost.id());
      cluster.client.update("t", new Add(), amounts, UpdateOptions.DEFAULT);
    }
  }

  private static boolean ready(ActorState actor) {
    return actor.copies().stream().anyMatch(copy -> copy.status() == CopyState.Status.READY);
  }

  private static QueryMessage read(LocalCluster cluster, String server, TableState table, int actor)
      throws IOException {
    Retrieve request =
        new Retrieve(
            table.id(),
            List.of(actor),
            List.of(),
            Payload.of("tally", new Waiting()),
            false,
            Optional.empty());
    return cluster.ask("reader", server, request, QueryMessage.class, TIMEOUT);
  }
}
