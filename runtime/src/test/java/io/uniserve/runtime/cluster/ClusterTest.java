package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.uniserve.runtime.cluster.TallyEngine.Flaky;
import io.uniserve.runtime.cluster.TallyEngine.Spoil;
import io.uniserve.runtime.cluster.TallyEngine.Sums;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClusterTest {
  @TempDir Path directory;

  @Test
  void recordsAreSpreadAndEveryActorIsCountedOnce() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      create(cluster, 16, 2, Durability.NONE);
      Map<String, Long> expected = load(cluster, 1000);
      assertThat(total(cluster)).containsExactly(1000L * 999 / 2, 16L);
      assertThat(
              cluster.client.query(
                  Plan.query("t", new Sums(), TallyEngine.collecting()), QueryOptions.DEFAULT))
          .isEqualTo(expected);
    }
  }

  @Test
  void noQueryFailsWhileAServerIsKilledAndTheCopiesAreMadeWholeAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      create(cluster, 16, 2, Durability.NONE);
      load(cluster, 1000);
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger queries = new AtomicInteger();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread stream =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!stop.get() && failure.get() == null) {
                      try {
                        assertThat(total(cluster)).containsExactly(499500L, 16L);
                        queries.incrementAndGet();
                      } catch (Throwable e) {
                        failure.set(e);
                      }
                    }
                  });
      cluster.kill("s2");
      cluster.await(state -> !state.alive("s2") && whole(state, 2));
      stop.set(true);
      stream.join();
      assertThat(failure.get()).isNull();
      assertThat(queries.get()).isPositive();
      load(cluster, 100);
      assertThat(total(cluster)).containsExactly(499500L + 4950, 16L);
    }
  }

  @Test
  void dataSurvivesTheRestartOfEverything() throws Exception {
    Map<String, Long> expected;
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      create(cluster, 8, 2, Durability.NONE);
      expected = load(cluster, 500);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      cluster.await(state -> whole(state, 2));
      assertThat(
              cluster.client.query(
                  Plan.query("t", new Sums(), TallyEngine.collecting()), QueryOptions.DEFAULT))
          .isEqualTo(expected);
      load(cluster, 10);
      assertThat(total(cluster)).containsExactly(500L * 499 / 2 + 45, 8L);
    }
  }

  @Test
  void anActorWithoutAnyCopyIsLoadedFromTheDurableStore() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      cluster.client.createTable(
          definition(6, 1, Durability.ASYNCHRONOUS)
              .withOnLoss(OnLoss.restoreAfter(Duration.ofSeconds(1))),
          Duration.ofSeconds(10));
      load(cluster, 300);
      awaitBackups(cluster);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1") && whole(state, 1));
      assertThat(total(cluster)).containsExactly(300L * 299 / 2, 6L);
    }
  }

  @Test
  void aServerThatComesBackCatchesUp() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 4, 2, Durability.NONE);
      load(cluster, 100);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1") && led(state));
      load(cluster, 100);
      cluster.start("s1");
      cluster.await(state -> state.alive("s1") && whole(state, 2));
      cluster.kill("s2");
      cluster.await(state -> !state.alive("s2") && led(state));
      assertThat(total(cluster)).containsExactly(2 * 4950L, 4L);
    }
  }

  @Test
  void anUpdateSentTwiceIsAppliedOnce() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2, 2, Durability.NONE);
      UpdateOptions once =
          new UpdateOptions(
              Duration.ofSeconds(10),
              UpdateOptions.Acknowledgement.ALL_COPIES,
              Optional.of("once"));
      var first = cluster.client.update("t", new Add(), List.of(new Amount("a", 5)), once);
      var second = cluster.client.update("t", new Add(), List.of(new Amount("a", 5)), once);
      assertThat(second).isEqualTo(first);
      assertThat(total(cluster)).containsExactly(5L, 2L);
    }
  }

  @Test
  void aRefusedUpdateChangesNothing() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, 2, Durability.NONE);
      List<Amount> bad = List.of(new Amount("a", 5), new Amount("b", -1));
      assertThatThrownBy(() -> cluster.client.update("t", new Add(), bad, UpdateOptions.DEFAULT))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("'b'")
          .extracting(e -> ((UniserveException) e).code())
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      cluster.client.update("t", new Add(), List.of(new Amount("a", 1)), UpdateOptions.ALL_COPIES);
      assertThat(total(cluster)).containsExactly(1L, 1L);
    }
  }

  @Test
  void aDefectOfTheEngineCostsNoData() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, 2, Durability.NONE);
      cluster.client.update("t", new Add(), List.of(new Amount("a", 7)), UpdateOptions.ALL_COPIES);
      assertThatThrownBy(
              () ->
                  cluster.client.update(
                      "t", new Add(), List.of(new Amount("a", 6_666_666)), UpdateOptions.DEFAULT))
          .hasMessageContaining("a defect of the engine");
      cluster.client.update("t", new Add(), List.of(new Amount("a", 1)), UpdateOptions.ALL_COPIES);
      assertThat(total(cluster)).containsExactly(8L, 1L);
    }
  }

  @Test
  void aCopyThatFailsIsReplacedByAnotherAndWhatItGaveBeforeDoesNotCount() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 1, 2, Durability.NONE);
      cluster.client.update("t", new Add(), List.of(new Amount("a", 7)), UpdateOptions.ALL_COPIES);
      Plan<List<Long>> flaky = Plan.query("t", new Flaky(), TallyEngine.adding());
      assertThatThrownBy(() -> cluster.client.query(flaky, QueryOptions.DEFAULT))
          .as("both copies fail the first time")
          .hasMessageContaining("damaged");
      assertThat(cluster.client.query(flaky, QueryOptions.DEFAULT)).containsExactly(7L, 1L);
    }
  }

  @Test
  void anActorThatSaysThatItFailedIsOpenedAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1, 1, Durability.NONE);
      cluster.client.update("t", new Add(), List.of(new Amount("a", 7)), UpdateOptions.ALL_COPIES);
      cluster.client.query(
          Plan.query("t", new Spoil(), TallyEngine.adding()), QueryOptions.DEFAULT);
      assertThat(totalOnceReadable(cluster)).containsExactly(7L, 1L);
    }
  }

  private static List<Long> totalOnceReadable(LocalCluster cluster) {
    while (true) { // until the test's time is up
      try {
        return total(cluster);
      } catch (UniserveException e) {
        // the failure is of the actor that failed, or of the copy that is being opened again
        assertThat(e.retryable()).as(e.getMessage()).isTrue();
      }
    }
  }

  @Test
  void errorsNameWhatIsMissing() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      assertThatThrownBy(() -> total(cluster)).hasMessageContaining("'t'");
      assertThatThrownBy(() -> create(cluster, 1, 2, Durability.NONE))
          .hasMessageContaining("2 copies");
      create(cluster, 1, 1, Durability.NONE);
      assertThatThrownBy(() -> create(cluster, 1, 1, Durability.NONE)).hasMessageContaining("'t'");
      cluster.client.dropTable("t", Duration.ofSeconds(5));
      assertThatThrownBy(() -> total(cluster)).hasMessageContaining("'t'");
    }
  }

  private static void create(
      LocalCluster cluster, int actors, int replicas, Durability durability) {
    cluster.client.createTable(definition(actors, replicas, durability), Duration.ofSeconds(10));
  }

  private static TableDefinition definition(int actors, int replicas, Durability durability) {
    return new TableDefinition(
        "t", "tally", new Partitioner.Hash(actors), replicas, durability, Map.of());
  }

  private static Map<String, Long> load(LocalCluster cluster, int count) {
    Map<String, Long> expected = new TreeMap<>();
    List<Amount> amounts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      amounts.add(new Amount("k" + i, i));
      expected.put("k" + i, (long) i);
    }
    cluster.client.update("t", new Add(), amounts, UpdateOptions.ALL_COPIES);
    return expected;
  }

  private static List<Long> total(LocalCluster cluster) {
    return cluster.client.query(
        Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT);
  }

  private static void awaitBackups(LocalCluster cluster) {
    cluster.await(
        state ->
            cluster.client.view().statuses(Duration.ofSeconds(1)).stream()
                .flatMap(status -> status.actors().stream())
                .filter(actor -> actor.role().equals("primary"))
                .allMatch(actor -> actor.backedUp().equals(Optional.of(actor.position()))));
  }

  private static boolean led(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .allMatch(actor -> state.alive(actor.primary()));
  }

  private static boolean whole(ClusterState state, int replicas) {
    return led(state)
        && state.tables().values().stream()
            .flatMap(table -> table.actors().stream())
            .allMatch(
                actor ->
                    actor.copies().size() == replicas
                        && actor.copies().stream()
                            .allMatch(
                                copy ->
                                    copy.status() == Status.READY && state.alive(copy.server())));
  }
}
