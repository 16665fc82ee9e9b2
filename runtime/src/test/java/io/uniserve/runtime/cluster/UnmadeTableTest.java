package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.UniserveClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A table that no server can make. */
@Timeout(60)
class UnmadeTableTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir Path directory;

  private record Failed(String message, boolean known) {}

  private static void create(UniserveClient client) {
    client.createTable(
        new TableDefinition("t", "tally", new Partitioner.Hash(1), 1, Durability.NONE, Map.of()),
        TIMEOUT);
  }

  private static Optional<Failed> failure(UniserveClient client) {
    try {
      create(client);
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(new Failed(e.getMessage(), client.table("t").isPresent()));
    }
  }

  @AfterEach
  void makeActorsAgain() {
    TallyEngine.UNMAKING.clear();
  }

  @Test
  void itsClientKnowsThatItIsGoneOnceItIsTold() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1);
        UniserveClient other = cluster.connect("other", cluster.threads)) {
      TallyEngine.UNMAKING.add("s1");
      CompletableFuture<Optional<Failed>> creating =
          CompletableFuture.supplyAsync(() -> failure(cluster.client));
      cluster.await(state -> state.table("t").isPresent());
      cluster.news("client").hold();
      while (other.table("t").isEmpty()) {
        Thread.onSpinWait();
      }
      while (other.table("t").isPresent()) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> creating.get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      cluster.news("client").release();
      Failed failed = creating.get().orElseThrow();
      assertThat(failed.message()).contains("no actor is made here").contains("dropped again");
      assertThat(failed.known()).isFalse();
      TallyEngine.UNMAKING.clear();
      create(cluster.client);
    }
  }
}
