package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Waiting;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.QueryMessage;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads that go on while their server is given up and joins again. Others may have led meanwhile,
 * so that the lease of the new life says nothing of what such a read has seen.
 */
@Timeout(120)
class FormerLifeTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;

  @AfterEach
  void release() {
    TallyEngine.READS_HELD.clear();
    TallyEngine.READS_BEGUN.set(0);
  }

  private static void add(LocalCluster cluster, long amount) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k", amount)),
        new UpdateOptions(TIMEOUT, UpdateOptions.Acknowledgement.PRIMARY, Optional.empty()));
  }

  private static CompletableFuture<QueryMessage> read(LocalCluster cluster) {
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
            return cluster.ask("reader", "s1", request, QueryMessage.class, TIMEOUT);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void aReadThatBeganInAFormerLifeIsNotAnswered() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.client.createTable(
          new TableDefinition(
              "t",
              "tally",
              new Partitioner.Hash(1),
              1,
              Durability.NONE,
              Consistency.ORDERED,
              Map.of()),
          TIMEOUT);
      add(cluster, 7);
      long before = cluster.client.state().servers().get("s1").incarnation();
      TallyEngine.READS_HELD.add("s1");
      CompletableFuture<QueryMessage> read = read(cluster);
      while (TallyEngine.READS_BEGUN.get() == 0) {
        LockSupport.parkNanos(TallyEngine.HELD_NANOS);
      }
      Join next = new Join(cluster.client.state().cluster(), "s1", new Address("s1"));
      long other = cluster.submit(next, Joined.class).incarnation();
      assertThat(other).isGreaterThan(before);
      cluster.await(state -> state.servers().get("s1").incarnation() > other);
      add(cluster, 1); // so it has a lease of its next life
      TallyEngine.READS_HELD.clear();
      assertThat(read.get(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              Unretrieved.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STALE_ROUTING));
      assertThat(read(cluster).get(60, TimeUnit.SECONDS))
          .as("one that begins now")
          .isInstanceOf(Retrieved.class);
    }
  }
}
