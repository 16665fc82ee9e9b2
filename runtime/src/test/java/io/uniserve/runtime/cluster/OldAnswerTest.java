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
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.entry.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A follower that writes a checkpoint after it has applied its primary's answer, and is given up
 * meanwhile. By the time that it goes on, the primary may have acknowledged updates without it.
 */
@Timeout(120)
class OldAnswerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration WATCHED = Duration.ofSeconds(1);
  private static final Pattern CHECKPOINTS = Pattern.compile("/checkpoints/unfinished-[0-9]+$");

  @TempDir Path directory;

  @Test
  void anAnswerToAFormerLifeMakesNoCopyReadable() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 0)) {
      cluster.checkpointEvery(1);
      cluster.start("s1");
      cluster.start("s2");
      cluster.await(state -> state.servers().size() == 2);
      create(cluster);
      add(cluster, 7);
      String follower =
          cluster
                  .await(
                      state ->
                          state.requireTable("t").actors().getFirst().copies().stream()
                              .allMatch(copy -> copy.status() == CopyState.Status.READY))
                  .requireTable("t")
                  .actors()
                  .getFirst()
                  .primary()
                  .equals("s1")
              ? "s2"
              : "s1";
      FaultyStorage disk = cluster.disk(follower);
      disk.hold(CHECKPOINTS);
      addAtPrimary(cluster, 10);
      while (disk.held() == 0) {
        LockSupport.parkNanos(TallyEngine.HELD_NANOS);
      }
      cluster.news(follower).hold();
      giveUp(cluster, follower);
      add(cluster, 100);
      disk.release();
      long end = System.nanoTime() + WATCHED.toNanos();
      while (System.nanoTime() < end) {
        assertThat(read(cluster, follower))
            .isInstanceOfSatisfying(
                Unretrieved.class,
                refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STALE_ROUTING));
      }
      cluster.news(follower).release();
      cluster.await(
          state ->
              state.requireTable("t").actors().getFirst().copyOn(follower).orElseThrow().status()
                  == CopyState.Status.READY);
      add(cluster, 1);
      assertThat(read(cluster, follower)).as("in its next life").isInstanceOf(Retrieved.class);
    }
  }

  private static void create(LocalCluster cluster) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(1),
            2,
            Durability.NONE,
            Consistency.EVENTUAL,
            Map.of()),
        TIMEOUT);
  }

  private static void add(LocalCluster cluster, long amount) {
    add(cluster, amount, UpdateOptions.ALL_COPIES.acknowledgement());
  }

  private static void addAtPrimary(LocalCluster cluster, long amount) {
    add(cluster, amount, UpdateOptions.Acknowledgement.PRIMARY);
  }

  private static void add(LocalCluster cluster, long amount, UpdateOptions.Acknowledgement by) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k", amount)),
        new UpdateOptions(TIMEOUT, by, Optional.empty()));
  }

  /** Lets a server be given up and begin its next life, of which it knows only the number. */
  private static void giveUp(LocalCluster cluster, String server) throws IOException {
    Join another = new Join(cluster.client.state().cluster(), server, new Address(server));
    long other = cluster.submit(another, Joined.class).incarnation();
    cluster.await(state -> state.servers().get(server).incarnation() > other);
  }

  private static QueryMessage read(LocalCluster cluster, String server) throws IOException {
    Retrieve request =
        new Retrieve(
            cluster.client.state().requireTable("t").id(),
            List.of(0),
            List.of(),
            Payload.of("tally", new Waiting()),
            false,
            Optional.empty());
    return cluster.ask("reader", server, request, QueryMessage.class, TIMEOUT);
  }
}
