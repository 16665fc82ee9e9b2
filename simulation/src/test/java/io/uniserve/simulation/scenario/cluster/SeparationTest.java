package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary that does not reach its followers, while all others reach everybody. */
class SeparationTest {
  private static final String TABLE = "journals";
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);

  /** The longest time without a write. */
  private static final Duration GAP_MAX = Duration.ofSeconds(5);

  private static final Duration ELSEWHERE_MAX = Duration.ofSeconds(10);
  private static final Duration UPDATE_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration READ_TIMEOUT = Duration.ofMillis(150);

  /** A time in which nobody is found to be out of reach. */
  private static final Duration BEFORE_NOTICE = Duration.ofMillis(300);

  private ClusterClient client;
  private long updates;

  /** True while the reader reads. */
  private boolean reading;

  /**
   * The number of the newest operation that the reader was shown, and how often it was answered.
   */
  private long newest;

  private long answers;

  /** Starts a cluster whose one client updates its one actor without a pause, on all copies. */
  private SimulatedCluster start(Consistency level, int servers, int copies) {
    SimulatedCluster cluster = SoundCluster.of(Duration.ofMillis(1), Duration.ofMillis(2));
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(1),
            copies,
            Durability.NONE,
            level,
            Map.of());
    ClusterShape shape = new ClusterShape(3, 20_000, servers, 1, table, List.of(), 4_000);
    ClusterPrograms programs = SoundCluster.add(cluster, shape);
    cluster.add("client", environment -> update(programs.client(environment), table));
    cluster.add("reader", environment -> read(environment, programs.client(environment)));
    cluster.processes().forEach(SimulatedProcess::start);
    cluster.runUntil(
        "copies", () -> updates > 0 && readable() == copies && alive(servers), STARTING_MAX);
    return cluster;
  }

  private void update(ClusterClient fresh, TableDefinition table) {
    while (fresh.state().table(TABLE).isEmpty()) {
      create(fresh, table);
    }
    client = fresh;
    UpdateOptions options =
        new UpdateOptions(UPDATE_TIMEOUT, Acknowledgement.ALL_COPIES, Optional.empty());
    while (true) {
      fresh.update(TABLE, new AppendOperations(), List.of(new Operation(1, updates + 1)), options);
      updates++;
    }
  }

  /** Reads without a pause, while it is asked to. */
  private void read(Environment environment, ClusterClient own) {
    Plan<SortedMap<Integer, List<Operation>>> journals =
        Plan.query(TABLE, new ReadJournal(1_000), new JournalsByActor());
    while (true) {
      try {
        environment.clock().sleep(Duration.ofMillis(5));
        if (reading) {
          own.query(journals, new QueryOptions(READ_TIMEOUT))
              .values()
              .forEach(shown -> shown.forEach(one -> newest = Math.max(newest, one.number())));
          answers++;
        }
      } catch (UniserveException e) {
        assertThat(e.retryable()).as(e.getMessage()).isTrue();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Creates a table; fails before enough servers have joined. */
  private static void create(ClusterClient client, TableDefinition table) {
    try {
      client.createTable(table, STARTING_MAX);
    } catch (UniserveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  private ActorState actor() {
    return client.state().requireTable(TABLE).actors().getFirst();
  }

  private long readable() {
    return actor().copies().stream()
        .filter(copy -> copy.status() == CopyState.Status.READY)
        .count();
  }

  private boolean alive(int servers) {
    return client.state().servers().values().stream().filter(ServerState::alive).count() == servers;
  }

  private boolean isReadable(String server) {
    return actor()
        .copyOn(server)
        .filter(copy -> copy.status() == CopyState.Status.READY)
        .isPresent();
  }

  private List<String> followers() {
    return actor().copies().stream()
        .map(CopyState::server)
        .filter(server -> !server.equals(actor().primary()))
        .toList();
  }

  /** Returns a condition: one more update was acknowledged, besides one that may be under way. */
  private BooleanSupplier more() {
    long before = updates;
    return () -> updates > before + 1;
  }

  @ParameterizedTest
  @EnumSource
  void writesGoOnWithoutTheFollowerAndACopyIsMadeElsewhere(Consistency level) {
    try (SimulatedCluster cluster = start(level, 3, 2)) {
      String primary = actor().primary();
      List<String> followers = followers();
      cluster.network().partition(List.of(primary), followers);
      cluster.runUntil("an update", more(), GAP_MAX);
      assertThat(isReadable(followers.getFirst())).as("what lacks the update").isFalse();
      cluster.runUntil("a copy elsewhere", () -> readable() == 2, ELSEWHERE_MAX);
      assertThat(actor().primary()).isEqualTo(primary);
      assertThat(isReadable(followers.getFirst())).isFalse();
      cluster.runUntil("an update", more(), GAP_MAX);
    }
  }

  /**
   * The primary has applied an update that its follower lacks. If it was lost now, the follower
   * would be elected: so nobody is shown the update.
   */
  @Test
  void noReadShowsAnUpdateOfOneActorThatAFollowerLacks() {
    try (SimulatedCluster cluster = start(Consistency.SERIALIZABLE, 2, 2)) {
      List<String> primary = List.of(actor().primary());
      List<String> followers = followers();
      cluster.network().partition(primary, followers);
      cluster.run(Duration.ofMillis(20)); // what was on its way arrives
      long acknowledged = updates;
      reading = true;
      cluster.run(BEFORE_NOTICE);
      assertThat(readable()).as("the follower still counts").isEqualTo(2);
      assertThat(updates).as("an update is under way").isEqualTo(acknowledged);
      assertThat(newest).isLessThanOrEqualTo(acknowledged);
      cluster.network().rejoin(primary, followers);
      long before = answers;
      cluster.runUntil("answers with it", () -> answers > before && newest > acknowledged, GAP_MAX);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFollowerThatNobodyReplacesIsBackWhenItIsReached(Consistency level) {
    try (SimulatedCluster cluster = start(level, 2, 2)) {
      List<String> primary = List.of(actor().primary());
      List<String> followers = followers();
      cluster.network().partition(primary, followers);
      cluster.runUntil("an update", more(), GAP_MAX);
      cluster.run(Duration.ofSeconds(20));
      cluster.runUntil("an update", more(), Duration.ofSeconds(1));
      cluster.network().rejoin(primary, followers);
      cluster.runUntil("the follower", () -> readable() == 2, GAP_MAX);
      cluster.runUntil("an update", more(), Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPrimaryThatReachesNobodyGoesOnAlone(Consistency level) {
    try (SimulatedCluster cluster = start(level, 3, 3)) {
      List<String> primary = List.of(actor().primary());
      List<String> followers = followers();
      cluster.network().partition(primary, followers);
      cluster.runUntil("an update", more(), GAP_MAX);
      assertThat(actor().complete()).isEqualTo(primary);
      cluster.network().rejoin(primary, followers);
      cluster.runUntil("the followers", () -> readable() == 3, GAP_MAX);
      cluster.runUntil("an update", more(), Duration.ofSeconds(1));
    }
  }
}
