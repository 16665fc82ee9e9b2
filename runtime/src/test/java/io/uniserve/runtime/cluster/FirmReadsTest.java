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
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.entry.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads that have seen an update which another copy lacks, and wait until it has it. */
@Timeout(120)
class FirmReadsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** More than a server has threads for operators. */
  private static final int READS = 5;

  private static final int ATTEMPTS_MAX = 5;

  @TempDir Path directory;

  @AfterEach
  void release() {
    TallyEngine.HELD.clear();
    TallyEngine.READS_BEGUN.set(0);
  }

  private static void add(LocalCluster cluster, long amount) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k", amount)),
        new UpdateOptions(TIMEOUT, UpdateOptions.Acknowledgement.PRIMARY, Optional.empty()));
  }

  /** Reads the primary, and returns the answer with the number of reads that had begun by then. */
  private static CompletableFuture<Map.Entry<QueryMessage, Integer>> read(
      LocalCluster cluster, String server, String reader) {
    Retrieve request =
        new Retrieve(
            cluster.client.state().requireTable("t").id(),
            List.of(0),
            List.of(),
            Payload.of("tally", new Waiting()),
            false,
            Optional.empty());
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            QueryMessage answer = cluster.ask(reader, server, request, QueryMessage.class, TIMEOUT);
            return Map.entry(answer, TallyEngine.READS_BEGUN.get());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  @Test
  void readsThatWaitForAnotherCopyLeaveTheThreadsOfOperatorsToOthers() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(
          new TableDefinition(
              "t",
              "tally",
              new Partitioner.Hash(1),
              2,
              Durability.NONE,
              Consistency.SERIALIZABLE,
              Map.of()),
          TIMEOUT);
      add(cluster, 7);
      ActorState actor = cluster.client.state().requireTable("t").actors().getFirst();
      TallyEngine.HELD.add(actor.primary().equals("s1") ? "s2" : "s1");
      CompletableFuture<Void> update = CompletableFuture.runAsync(() -> add(cluster, 1));
      // A wait that is given up is told, so each read of an attempt may have begun after that.
      boolean together = false;
      for (int attempt = 1; !together && attempt <= ATTEMPTS_MAX; attempt++) {
        TallyEngine.READS_BEGUN.set(0);
        List<CompletableFuture<Map.Entry<QueryMessage, Integer>>> reads =
            IntStream.range(0, READS)
                .mapToObj(reader -> read(cluster, actor.primary(), "reader-" + reader))
                .toList();
        for (CompletableFuture<Map.Entry<QueryMessage, Integer>> read : reads) {
          read.get(60, TimeUnit.SECONDS);
        }
        together =
            reads.stream()
                .map(CompletableFuture::join)
                .noneMatch(
                    answer -> answer.getKey() instanceof Retrieved || answer.getValue() < READS);
      }
      assertThat(together).as("reads that waited at the same time").isTrue();
      TallyEngine.HELD.clear();
      update.get(60, TimeUnit.SECONDS);
      Retrieved answer =
          (Retrieved) read(cluster, actor.primary(), "last").get(60, TimeUnit.SECONDS).getKey();
      assertThat(answer.values().getFirst().value(cluster.engines)).isEqualTo(8L);
    }
  }
}
