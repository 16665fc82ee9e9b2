package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Stuck;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.ServerStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Partial answers, second attempts, waits, and the remains of a query that has ended. */
@Timeout(60)
class QueriesUnderFailureTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final QueryOptions SHORT = new QueryOptions(Duration.ofMillis(300));
  private static final long SUM = 999L * 1000 / 2;

  @TempDir Path directory;

  @Test
  void aLateCopyIsNotWaitedForAndItsOperatorEnds() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 6, 2);
      for (int i = 0; i < 200; i++) {
        cluster.client.query(total(), QueryOptions.DEFAULT);
      }
      long begun = System.nanoTime();
      assertThat(
              cluster.client.query(
                  Plan.query("t", new Stuck("s1"), TallyEngine.adding()), QueryOptions.DEFAULT))
          .containsExactly(SUM, 6L);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
      awaitIdle(cluster);
    }
  }

  @Test
  void aQueryThatEndsLeavesNoOperatorBehind() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 4, 1);
      assertThatThrownBy(
              () ->
                  cluster.client.query(
                      Plan.query("t", new Stuck("s1"), TallyEngine.adding()), SHORT))
          .as("the process that notices first")
          .isInstanceOfSatisfying(
              UniserveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
      awaitIdle(cluster);
    }
  }

  @Test
  void aPartialAnswerNamesWhatItLacks() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 6, 1);
      SortedSet<Integer> lost = new TreeSet<>();
      long there = 0;
      for (int actor = 0; actor < 6; actor++) {
        if (primary(cluster, actor).equals("s1")) {
          lost.add(actor);
        } else {
          there++;
        }
      }
      cluster.kill("s1");
      assertThatThrownBy(() -> cluster.client.query(total(), SHORT))
          .isInstanceOf(UniserveException.class);
      PartialAnswer<List<Long>> answer = cluster.client.queryPartially(total(), SHORT);
      assertThat(answer.result().getLast()).isEqualTo(there);
      assertThat(answer.coverage().asked()).isEqualTo(6);
      assertThat(answer.coverage().answered()).isEqualTo((int) there);
      assertThat(answer.coverage().missing())
          .extracting(Coverage.Missing::actor)
          .containsExactlyElementsOf(lost);
    }
  }

  @Test
  void aPartialAnswerOfNobodyIsAnErrorThatMayPass() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2, 1);
      cluster.kill("s1");
      cluster.kill("s2");
      assertThatThrownBy(() -> cluster.client.queryPartially(total(), SHORT))
          .isInstanceOfSatisfying(
              UniserveException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
                assertThat(e.retryable()).isTrue();
                assertThat(e).hasMessageContaining("none of its 2 actors has answered");
              });
    }
  }

  /** However often it is refused meanwhile: how long it takes counts, not how often one asks. */
  @Test
  void aQueryWaitsForTheOnlyCopyToComeBack() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 4, 1);
      cluster.kill("s1");
      CompletableFuture<List<Long>> total =
          CompletableFuture.supplyAsync(() -> cluster.client.query(total(), QueryOptions.DEFAULT));
      cluster.await(state -> !state.alive("s1"));
      cluster.start("s1");
      assertThat(total.get(10, TimeUnit.SECONDS)).containsExactly(SUM, 4L);
    }
  }

  @Test
  void aPartialAnswerThatLacksNothingSaysSo() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 4, 2);
      PartialAnswer<List<Long>> answer =
          cluster.client.queryPartially(total(), QueryOptions.DEFAULT);
      assertThat(answer.result()).containsExactly(SUM, 4L);
      assertThat(answer.coverage()).isEqualTo(new Coverage(4, List.of()));
    }
  }

  private static Plan<List<Long>> total() {
    return Plan.query("t", new Total(), TallyEngine.adding());
  }

  private static String primary(LocalCluster cluster, int actor) {
    return cluster.client.state().requireTable("t").actors().get(actor).primary();
  }

  private static void awaitIdle(LocalCluster cluster) {
    cluster.await(
        state ->
            cluster.client.view().statuses(TIMEOUT).stream()
                .mapToInt(ServerStatus::operatorsRunning)
                .allMatch(running -> running == 0));
  }

  private static void create(LocalCluster cluster, int actors, int replicas) {
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(actors), replicas, Durability.NONE, Map.of()),
        TIMEOUT);
    List<Amount> amounts = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      amounts.add(new Amount("k" + i, i));
    }
    cluster.client.update("t", new Add(), amounts, UpdateOptions.ALL_COPIES);
  }
}
