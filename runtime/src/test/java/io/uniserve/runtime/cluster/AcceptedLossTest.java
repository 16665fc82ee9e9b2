package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.OnLoss;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorEmptied;
import io.uniserve.runtime.wire.cluster.ControlRecord.LossAccepted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Losses that somebody accepts, and what is lost after that, which nobody has accepted. */
@Timeout(120)
class AcceptedLossTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** A time in which a coordinator looks for losses several times. */
  private static final Duration SEVERAL_LOOKS = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofSeconds(4);

  @TempDir Path directory;

  private static void create(LocalCluster cluster, int actors, Durability durability, OnLoss loss) {
    cluster.client.createTable(
        new TableDefinition(
                "t",
                "tally",
                new Partitioner.Hash(actors),
                1,
                durability,
                Consistency.EVENTUAL,
                Map.of())
            .withOnLoss(loss),
        TIMEOUT);
  }

  private static void add(LocalCluster cluster, int count) {
    for (int i = 0; i < count; i++) {
      cluster.client.update(
          "t", new Add(), List.of(new Amount("k" + i, 1)), UpdateOptions.ALL_COPIES);
    }
  }

  private static long sum(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  /** Returns the reasons of all decisions to go on without complete copies, from now on. */
  private static Queue<String> decisions(LocalCluster cluster) {
    Queue<String> reasons = new ConcurrentLinkedQueue<>();
    cluster
        .client
        .view()
        .onChange(
            (state, record) -> {
              if (record instanceof ActorEmptied || record instanceof LossAccepted) {
                reasons.add(record.toString());
              }
            });
    return reasons;
  }

  private static List<ActorState> waiting(ClusterState state) {
    return state.requireTable("t").actors().stream()
        .filter(actor -> !actor.anyMayLead() && actor.complete().stream().noneMatch(state::alive))
        .toList();
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (end - System.nanoTime() > 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  private void damageCheckpoints(String server) throws IOException {
    try (Stream<Path> paths = Files.walk(directory.resolve(server))) {
      for (Path file : paths.filter(path -> path.endsWith("engine/sums")).toList()) {
        Files.write(file, new byte[] {1});
      }
    }
  }

  /** Recovers the table. Until the damage is known, nothing is lost that could be recovered. */
  private static void recoverOnceDamageIsKnown(LocalCluster cluster) {
    while (true) { // until the test's time is up
      try {
        cluster.client.backups().recover("t", TIMEOUT);
        return;
      } catch (UniserveException e) {
        assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      }
    }
  }

  /** Moves the only copy of the only actor, so that it begins with a checkpoint of all updates. */
  private static String moved(LocalCluster cluster) {
    String from = cluster.client.state().requireTable("t").actors().getFirst().primary();
    String to = from.equals("s1") ? "s2" : "s1";
    cluster.client.admin().move("t", 0, from, to, TIMEOUT);
    cluster.await(state -> isWholly(state.requireTable("t").actors().getFirst(), to));
    return to;
  }

  private static boolean isWholly(ActorState actor, String server) {
    return actor.primary().equals(server) && actor.copies().size() == 1;
  }

  @Test
  void anActorThatBeginsAnewIsNotLostAgainForItsFormerDamage() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, Durability.NONE, OnLoss.WAIT);
      add(cluster, 5);
      String server = moved(cluster);
      cluster.kill(server);
      cluster.await(state -> !state.alive(server));
      damageCheckpoints(server);
      cluster.start(server);
      Queue<String> decisions = decisions(cluster);
      recoverOnceDamageIsKnown(cluster);
      assertThat(sum(cluster)).isZero();
      add(cluster, 3);
      pass(SEVERAL_LOOKS);
      assertThat(sum(cluster)).isEqualTo(3);
      cluster.kill(server);
      cluster.await(state -> !state.alive(server));
      cluster.start(server);
      cluster.await(state -> state.alive(server));
      assertThat(sum(cluster)).as("after a restart").isEqualTo(3);
      assertThat(decisions).hasSize(1);
    }
  }

  @Test
  void whatIsLostLaterIsWaitedFor() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 3, Durability.NONE, OnLoss.WAIT);
      add(cluster, 60);
      long all = sum(cluster);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      assertThat(waiting(cluster.client.state())).isNotEmpty();
      cluster.client.backups().recover("t", TIMEOUT);
      long kept = sum(cluster);
      assertThat(kept).isPositive().isLessThan(all);
      Queue<String> decisions = decisions(cluster);
      pass(SEVERAL_LOOKS);
      cluster.kill("s2");
      cluster.await(state -> !waiting(state).isEmpty());
      pass(SEVERAL_LOOKS);
      assertThat(decisions).isEmpty();
      cluster.start("s2");
      cluster.await(state -> waiting(state).isEmpty());
      assertThat(sum(cluster)).isEqualTo(kept);
    }
  }

  @Test
  void eachActorIsWaitedForAsLongAsItsTableSays() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 3, Durability.ASYNCHRONOUS, OnLoss.restoreAfter(PATIENCE));
      add(cluster, 60);
      cluster.client.backups().backUp("t", TIMEOUT);
      Queue<String> decisions = decisions(cluster);
      cluster.kill("s1");
      cluster.await(state -> waiting(state).size() == 1);
      pass(PATIENCE.dividedBy(2));
      cluster.kill("s2");
      cluster.await(state -> waiting(state).size() == 2);
      cluster.await(state -> waiting(state).size() == 1 && !decisions.isEmpty());
      cluster.start("s2");
      cluster.await(state -> waiting(state).isEmpty());
      assertThat(sum(cluster)).isEqualTo(60);
      assertThat(decisions).hasSize(1);
    }
  }
}
