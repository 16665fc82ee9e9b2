package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.policy.placement.Greedy;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Busy;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BalancingTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final PartitionKey HOT = PartitionKey.of("hot");
  private static final Partitioner ACTORS = new Partitioner.Hash(6);

  @TempDir Path directory;

  /** The assignment that a test wants a policy to decide. */
  private final AtomicReference<Map<Integer, List<String>>> wanted =
      new AtomicReference<>(Map.of());

  private final PlacementPolicy asTold = this::place;

  private Placement place(ClusterLoad cluster) {
    TreeMap<ActorId, List<Placement.Copy>> copies = new TreeMap<>();
    TreeMap<ActorId, String> reasons = new TreeMap<>();
    cluster
        .actors()
        .forEach(
            (id, actor) -> {
              List<String> servers = wanted.get().getOrDefault(id.number(), actor.copies());
              copies.put(
                  id,
                  servers.stream()
                      .map(server -> new Placement.Copy(server, 1.0 / servers.size()))
                      .toList());
              reasons.put(id, "the test wants it so");
            });
    return new Placement(copies, reasons, "as told");
  }

  private LocalCluster cluster(Optional<Duration> interval) throws Exception {
    PlacementPolicies policies =
        new PlacementPolicies(
            new FewestCopies(),
            Map.of("told", asTold, "greedy", new Greedy(new BalanceSettings(0.1, 1_000, 1))));
    PlacementSettings settings =
        PlacementSettings.DEFAULT.with(interval.isPresent() ? "greedy" : "told", interval);
    return new LocalCluster(directory, 4, Duration.ofSeconds(40), policies, settings);
  }

  private static void create(LocalCluster cluster, int replicas) {
    cluster.client.createTable(
        new TableDefinition("t", "tally", ACTORS, replicas, Durability.NONE, Map.of()), TIMEOUT);
  }

  private static ActorState actor(ClusterState state, int number) {
    return state.requireTable("t").actors().get(number);
  }

  private static List<String> servers(ClusterState state, int number) {
    return actor(state, number).copies().stream().map(CopyState::server).sorted().toList();
  }

  private static boolean quiet(ClusterState state) {
    return state.requireTable("t").actors().stream()
        .allMatch(
            actor ->
                actor.move().isEmpty()
                    && actor.copies().stream().allMatch(copy -> copy.status() == Status.READY));
  }

  @Test
  void whatAPolicyWantsIsPreviewedThenDoneWhileQueriesGoOn() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 1);
      String home = actor(cluster.client.state(), 0).primary();
      String other = home.equals("s4") ? "s1" : "s4";
      wanted.set(Map.of(0, List.of(other), 1, List.of("s1", "s2", "s3")));
      PlacementDecided preview =
          cluster.client.admin().decidePlacement(Optional.empty(), false, TIMEOUT);
      assertThat(preview.changes()).hasSize(2);
      assertThat(servers(cluster.client.state(), 0)).containsExactly(home);
      try (Rounds asking = asking(cluster)) {
        PlacementDecided applied =
            cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
        assertThat(applied.changes()).hasSize(2);
        cluster.await(
            state ->
                servers(state, 0).equals(List.of(other))
                    && servers(state, 1).equals(List.of("s1", "s2", "s3"))
                    && quiet(state));
        asking.await(50);
        // Now fewer copies, without the present primary.
        String primary = actor(cluster.client.state(), 1).primary();
        String kept = primary.equals("s2") ? "s3" : "s2";
        wanted.set(Map.of(1, List.of(kept)));
        cluster.client.admin().decidePlacement(Optional.of("told"), true, TIMEOUT);
        cluster.await(
            state ->
                servers(state, 1).equals(List.of(kept))
                    && actor(state, 1).primary().equals(kept)
                    && quiet(state));
        asking.await(50);
      }
      assertThat(actor(cluster.client.state(), 0).placed().orElseThrow().why())
          .isEqualTo("the test wants it so");
    }
  }

  @Test
  void aPinHoldsWhateverAnybodyWants() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 1);
      String home = actor(cluster.client.state(), 0).primary();
      String other = home.equals("s4") ? "s1" : "s4";
      cluster.client.admin().pin("t", 0, home, true, TIMEOUT);
      wanted.set(Map.of(0, List.of(other)));
      assertThatThrownBy(
              () -> cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT))
          .hasMessageContaining("the placement policy puts actor");
      assertThatThrownBy(() -> cluster.client.admin().move("t", 0, home, other, TIMEOUT))
          .hasMessageContaining("is pinned to server " + home);
      assertThatThrownBy(() -> cluster.client.admin().drain(home, true, TIMEOUT))
          .hasMessageContaining("unpin it first");
      wanted.set(Map.of(0, List.of(other, home)));
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(state -> servers(state, 0).size() == 2 && quiet(state));
      cluster.client.admin().pin("t", 0, home, false, TIMEOUT);
      wanted.set(Map.of(0, List.of(other)));
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(state -> servers(state, 0).equals(List.of(other)) && quiet(state));
    }
  }

  /** The surplus copies are removed at once, except the pinned ones. */
  @Test
  void aPinThatThePolicyDidNotKnowMakesVoidWhatItWanted() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 1);
      String home = actor(cluster.client.state(), 0).primary();
      List<String> others =
          Stream.of("s1", "s2", "s3", "s4").filter(server -> !server.equals(home)).toList();
      String pinned = others.get(0);
      String without = others.get(2);
      wanted.set(Map.of(0, List.of(home, pinned, others.get(1))));
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(state -> servers(state, 0).size() == 3 && quiet(state));
      cluster.client.admin().pin("t", 0, pinned, true, TIMEOUT);
      assertThat(actor(cluster.client.state(), 0).placed()).as("it knew this one").isPresent();
      cluster.client.admin().pin("t", 0, without, true, TIMEOUT);
      assertThat(actor(cluster.client.state(), 0).placed()).isEmpty();
      cluster.await(state -> servers(state, 0).equals(List.of(pinned)) && quiet(state));
      assertThat(actor(cluster.client.state(), 0).primary()).isEqualTo(pinned);
      wanted.set(Map.of(0, List.of(pinned, without)));
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(
          state ->
              servers(state, 0).equals(Stream.of(pinned, without).sorted().toList())
                  && quiet(state));
    }
  }

  /** A decision made while the pinned server was away does not remove its copy. */
  @Test
  void aPinnedServerHasItsCopyWhenItComesBack() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 2);
      String home = actor(cluster.client.state(), 0).primary();
      cluster.client.admin().pin("t", 0, home, true, TIMEOUT);
      cluster.kill(home);
      cluster.await(
          state ->
              servers(state, 0).size() == 2 && !servers(state, 0).contains(home) && quiet(state));
      List<String> others =
          Stream.of("s1", "s2", "s3", "s4").filter(server -> !server.equals(home)).toList();
      wanted.set(Map.of(0, others));
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(state -> servers(state, 0).equals(others) && quiet(state));
      cluster.start(home);
      cluster.await(state -> servers(state, 0).size() == 4 && quiet(state));
    }
  }

  @Test
  void whilePausedNothingIsApplied() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 1);
      cluster.client.admin().pausePlacement(true, TIMEOUT);
      wanted.set(Map.of(0, List.of("s1", "s2", "s3", "s4")));
      assertThat(cluster.client.admin().decidePlacement(Optional.empty(), false, TIMEOUT).changes())
          .hasSize(1);
      assertThatThrownBy(
              () -> cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT))
          .hasMessageContaining("placement is paused");
      cluster.client.admin().pausePlacement(false, TIMEOUT);
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(state -> servers(state, 0).size() == 4 && quiet(state));
    }
  }

  @Test
  void aServerIsDrainedOfCopiesThatNobodyElseCanTake() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 1);
      wanted.set(Map.of(0, List.of("s1", "s2", "s3", "s4")));
      cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
      cluster.await(state -> servers(state, 0).size() == 4 && quiet(state));
      cluster.client.admin().drain("s2", true, TIMEOUT);
      cluster.await(
          state ->
              state.requireTable("t").actors().stream()
                  .allMatch(actor -> actor.copyOn("s2").isEmpty()));
      assertThat(servers(cluster.client.state(), 0)).containsExactly("s1", "s3", "s4");
    }
  }

  @Test
  void aPolicyThatIsNotThereOrFailsIsSaidSo() throws Exception {
    try (LocalCluster cluster = cluster(Optional.empty())) {
      create(cluster, 1);
      assertThatThrownBy(
              () -> cluster.client.admin().decidePlacement(Optional.of("none"), false, TIMEOUT))
          .hasMessageContaining("there is no placement policy 'none'")
          .extracting(failure -> ((UniserveException) failure).code())
          .isEqualTo(ErrorCode.NOT_FOUND);
      wanted.set(Map.of(0, List.of("s9")));
      assertThatThrownBy(
              () -> cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT))
          .hasMessageContaining("s9");
      wanted.set(Map.of());
      assertThat(cluster.client.admin().decidePlacement(Optional.empty(), true, TIMEOUT).changes())
          .isEmpty();
    }
  }

  @Test
  void aHotActorGetsCopiesAndLosesThemWhenItCools() throws Exception {
    try (LocalCluster cluster = cluster(Optional.of(Duration.ofSeconds(2)))) {
      create(cluster, 1);
      int hot = ACTORS.actorOf(HOT);
      try (Rounds asking = asking(cluster)) {
        cluster.await(state -> servers(state, hot).size() >= 3 && quiet(state));
        asking.await(50);
      }
      assertThat(actor(cluster.client.state(), hot).placed()).isPresent();
      cluster.await(state -> servers(state, hot).size() == 1 && quiet(state));
    }
  }

  /** Returns queries of the hot actor without a pause, none of which may fail, and updates. */
  private static Rounds asking(LocalCluster cluster) {
    return new Rounds(
        3,
        i -> {
          cluster.client.query(
              new Plan.Query<>(Source.table("t", Keys.of(HOT)), new Busy(2), TallyEngine.adding()),
              QueryOptions.DEFAULT);
          cluster.client.update(
              "t", new Add(), List.of(new Amount("k" + i, 1)), UpdateOptions.ALL_COPIES);
        });
  }
}
