package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
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
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class MovesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"NONE", "ASYNCHRONOUS"})
  void aPrimaryMovesWhileUpdatesAndQueriesGoOn(Durability durability) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 1, 1, durability);
      String from = actor(cluster, 0).primary();
      String to = from.equals("s3") ? "s1" : "s3";
      try (Rounds load = load(cluster)) {
        load.await(20);
        cluster.client.admin().move("t", 0, from, to, TIMEOUT);
        cluster.await(state -> servers(state, 0).equals(List.of(to)) && quiet(state));
        load.await(20);
      }
      assertThat(actor(cluster, 0).primary()).isEqualTo(to);
    }
  }

  /** The late copy tells the next primary how far it is, and never the former one again. */
  @Test
  void anUpdateThatWaitsForACopyIsAcknowledgedThoughItsPrimaryMovesMeanwhile() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3);
        ExecutorService client = Executors.newVirtualThreadPerTaskExecutor()) {
      create(cluster, 1, 2, Durability.NONE);
      String from = actor(cluster, 0).primary();
      List<String> holders = servers(cluster.client.state(), 0);
      String late = holders.getFirst().equals(from) ? holders.getLast() : holders.getFirst();
      String to =
          Stream.of("s1", "s2", "s3")
              .filter(server -> !holders.contains(server))
              .findFirst()
              .orElseThrow();
      TallyEngine.HELD.add(late);
      Future<?> update;
      try {
        update =
            client.submit(
                () ->
                    cluster.client.update(
                        "t", new Add(), List.of(new Amount("k", 1)), UpdateOptions.ALL_COPIES));
        while (total(cluster) == 0) {
          Thread.onSpinWait(); // until the primary has it
        }
        cluster.client.admin().move("t", 0, from, to, TIMEOUT);
        cluster.await(state -> quiet(state) && !servers(state, 0).contains(from));
      } finally {
        TallyEngine.HELD.remove(late);
      }
      update.get();
      assertThat(total(cluster)).isEqualTo(1);
    }
  }

  @Test
  void aDrainedServerIsEmptyInTheEndAndIsGivenNothing() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      create(cluster, 8, 2, Durability.NONE);
      try (Rounds load = load(cluster)) {
        load.await(20);
        cluster.client.admin().drain("s2", true, TIMEOUT);
        cluster.await(state -> copiesOn(state, "s2") == 0 && quiet(state));
        load.await(20);
      }
      cluster.client.createTable(table("later", 6, 3, Durability.NONE), TIMEOUT);
      assertThat(copiesOn(cluster.client.state(), "s2")).isZero();
      cluster.client.admin().drain("s2", false, TIMEOUT);
      cluster.client.createTable(table("used", 4, 4, Durability.NONE), TIMEOUT);
      assertThat(copiesOn(cluster.client.state(), "s2")).isEqualTo(4);
    }
  }

  @Test
  void aServerThatLeavesAndComesBackIsMissedByNobody() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 6, 2, Durability.NONE);
      List<ControlRecord> records = Collections.synchronizedList(new ArrayList<>());
      cluster.client.view().onChange((state, record) -> records.add(record));
      try (Rounds load = load(cluster)) {
        load.await(20);
        for (String name : List.of("s1", "s2", "s3")) {
          cluster.leave(name);
          load.await(20);
          cluster.start(name);
          cluster.await(state -> state.alive(name) && quiet(state));
        }
      }
      assertThat(records).noneMatch(ControlRecord.CopyAdded.class::isInstance);
    }
  }

  @Test
  void aMoveThatIsCancelledLeavesTheCopyWhereItWas() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 1, 1, Durability.NONE);
      String from = actor(cluster, 0).primary();
      String to = from.equals("s3") ? "s1" : "s3";
      cluster.disk(to).fail(FaultyStorage.Write.FORCE, "actors", 0, 1_000);
      List<MoveEnded> ends = ends(cluster);
      cluster.client.admin().move("t", 0, from, to, TIMEOUT);
      try {
        cluster.client.admin().cancelMove("t", 0, TIMEOUT);
      } catch (UniserveException e) {
        // The move may have failed before.
        assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
      }
      cluster.await(state -> quiet(state) && !ends.isEmpty());
      assertThat(servers(cluster.client.state(), 0)).containsExactly(from);
      assertThat(ends).singleElement().matches(end -> end.outcome() != MoveEnded.Outcome.DONE);
    }
  }

  @Test
  void aMoveToAServerWithoutRoomFailsAndSaysSo() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 1, 1, Durability.NONE);
      String from = actor(cluster, 0).primary();
      String to = from.equals("s3") ? "s1" : "s3";
      List<MoveEnded> ends = ends(cluster);
      cluster.disk(to).fail(FaultyStorage.Write.FORCE, "actors", 0, 1_000);
      cluster.client.admin().move("t", 0, from, to, TIMEOUT);
      cluster.await(state -> quiet(state) && !ends.isEmpty());
      assertThat(ends.getFirst().outcome()).isEqualTo(MoveEnded.Outcome.FAILED);
      assertThat(ends.getFirst().why()).contains("no room on server " + to);
      assertThat(servers(cluster.client.state(), 0)).containsExactly(from);
    }
  }

  @Test
  void whatCannotBeMovedIsRefusedWithAReason() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 2, 2, Durability.NONE);
      ActorState actor = actor(cluster, 0);
      String from = actor.copies().getFirst().server();
      String other = actor.copies().getLast().server();
      String free =
          List.of("s1", "s2", "s3").stream()
              .filter(name -> actor.copyOn(name).isEmpty())
              .findFirst()
              .orElseThrow();
      refused(cluster, "nothing", 0, from, free, ErrorCode.NOT_FOUND, "there is no table");
      refused(cluster, "t", 7, from, free, ErrorCode.NOT_FOUND, "its actors are 0 to 1");
      refused(cluster, "t", 0, "s9", free, ErrorCode.NOT_FOUND, "there is no server 's9'");
      refused(cluster, "t", 0, from, "s9", ErrorCode.NOT_FOUND, "there is no server 's9'");
      refused(cluster, "t", 0, free, from, ErrorCode.INVALID_ARGUMENT, "holds no copy");
      refused(cluster, "t", 0, from, other, ErrorCode.INVALID_ARGUMENT, "cannot share");
      assertThatThrownBy(() -> cluster.client.admin().cancelMove("t", 0, TIMEOUT))
          .hasMessageContaining("is not being moved");
      cluster.client.createTable(table("wide", 1, 3, Durability.NONE), TIMEOUT);
      assertThatThrownBy(() -> cluster.client.admin().drain("s1", true, TIMEOUT))
          .hasMessageContaining("table 'wide' keeps 3 copies");
    }
  }

  private static void refused(
      LocalCluster cluster,
      String table,
      int actor,
      String from,
      String to,
      ErrorCode code,
      String reason) {
    assertThatThrownBy(() -> cluster.client.admin().move(table, actor, from, to, TIMEOUT))
        .hasMessageContaining(reason)
        .extracting(failure -> ((UniserveException) failure).code())
        .isEqualTo(code);
  }

  private static List<MoveEnded> ends(LocalCluster cluster) {
    List<MoveEnded> ends = Collections.synchronizedList(new ArrayList<>());
    cluster
        .client
        .view()
        .onChange(
            (state, record) -> {
              if (record instanceof MoveEnded ended) {
                ends.add(ended);
              }
            });
    return ends;
  }

  private static void create(
      LocalCluster cluster, int actors, int replicas, Durability durability) {
    cluster.client.createTable(table("t", actors, replicas, durability), TIMEOUT);
  }

  private static TableDefinition table(
      String name, int actors, int replicas, Durability durability) {
    return new TableDefinition(
        name, "tally", new Partitioner.Hash(actors), replicas, durability, Map.of());
  }

  private static long total(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  private static ActorState actor(LocalCluster cluster, int number) {
    return cluster.client.state().requireTable("t").actors().get(number);
  }

  private static List<String> servers(ClusterState state, int number) {
    return state.requireTable("t").actors().get(number).copies().stream()
        .map(CopyState::server)
        .toList();
  }

  private static long copiesOn(ClusterState state, String server) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .filter(actor -> actor.copyOn(server).isPresent())
        .count();
  }

  /** Returns whether nothing is being moved, created or brought up to date. */
  private static boolean quiet(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .allMatch(
            actor ->
                actor.move().isEmpty()
                    && actor.copies().stream().allMatch(copy -> copy.status() == Status.READY));
  }

  /** Returns updates that wait for all copies, and after each a query that must see it. */
  private static Rounds load(LocalCluster cluster) {
    return new Rounds(
        1,
        i -> {
          cluster.client.update(
              "t", new Add(), List.of(new Amount("k" + i, i)), UpdateOptions.ALL_COPIES);
          assertThat(total(cluster)).isEqualTo(i * (i + 1) / 2);
        });
  }
}
