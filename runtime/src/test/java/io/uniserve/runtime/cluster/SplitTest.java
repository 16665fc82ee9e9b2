package io.uniserve.runtime.cluster;

import static io.uniserve.runtime.cluster.ReshapedTally.TIMEOUT;
import static io.uniserve.runtime.cluster.ReshapedTally.add;
import static io.uniserve.runtime.cluster.ReshapedTally.assertRefused;
import static io.uniserve.runtime.cluster.ReshapedTally.create;
import static io.uniserve.runtime.cluster.ReshapedTally.goOn;
import static io.uniserve.runtime.cluster.ReshapedTally.keyed;
import static io.uniserve.runtime.cluster.ReshapedTally.loads;
import static io.uniserve.runtime.cluster.ReshapedTally.ones;
import static io.uniserve.runtime.cluster.ReshapedTally.partitioner;
import static io.uniserve.runtime.cluster.ReshapedTally.passing;
import static io.uniserve.runtime.cluster.ReshapedTally.restore;
import static io.uniserve.runtime.cluster.ReshapedTally.sums;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.policy.placement.Greedy;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.control.settings.SplitSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(90)
class SplitTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void noQueryFailsOrMissesAnythingWhileActorsAreSplit(Durability durability) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, new Partitioner.Hash(1), 2, durability);
      List<Rounds> loads = loads(cluster);
      for (int actor : List.of(0, 1, 0, 2)) {
        cluster.client.admin().split("t", actor, Optional.empty(), TIMEOUT);
        goOn(loads);
      }
      loads.forEach(Rounds::close);
      assertThat(partitioner(cluster).actors()).isEqualTo(5);
      assertThat(cluster.client.state().requireTable("t").actors()).hasSize(5);
    }
  }

  @Test
  void whatASplitMakesIsNotOpenedAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.NONE);
      add(cluster, 0, 100);
      TallyEngine.OPENED.clear();
      cluster.client.admin().split("t", 0, Optional.empty(), TIMEOUT);
      add(cluster, 100, 200);
      assertThat(sums(cluster, "t")).isEqualTo(ones(200));
      assertThat(TallyEngine.OPENED).containsExactlyInAnyOrder(0, 0, 1, 1);
    }
  }

  @Test
  void aRangeIsSplitInTheMiddleOrWhereItIsSaid() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Range(List.of()), 1, Durability.NONE);
      add(cluster, 0, 100);
      cluster.client.admin().split("t", 0, Optional.of(PartitionKey.of("k5")), TIMEOUT);
      cluster.client.admin().split("t", 1, Optional.empty(), TIMEOUT);
      add(cluster, 100, 120);

      Partitioner now = partitioner(cluster);
      assertThat(now.actorOf(PartitionKey.of("k4"))).isZero();
      assertThat(now.actorOf(PartitionKey.of("k5"))).isEqualTo(1);
      assertThat(now.actorOf(PartitionKey.of("k99"))).isEqualTo(2);
      assertThat(sums(cluster, "t")).isEqualTo(ones(120));
      assertThat(sums(cluster, "t", Keys.of(PartitionKey.of("k5")))).containsEntry("k5", 1L);
    }
  }

  @Test
  void whatCannotBeSplitIsRefusedAndStaysWhole() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Hash(2), 1, Durability.NONE);
      assertRefused(ErrorCode.NOT_FOUND, () -> split(cluster, "t", 2, Optional.empty()));
      assertRefused(ErrorCode.NOT_FOUND, () -> split(cluster, "u", 0, Optional.empty()));
      Optional<PartitionKey> key = Optional.of(PartitionKey.of("k"));
      assertRefused(ErrorCode.INVALID_ARGUMENT, () -> split(cluster, "t", 0, key));

      cluster.client.createTable(
          new TableDefinition(
              "r", "tally", new Partitioner.Range(List.of()), 1, Durability.NONE, Map.of()),
          TIMEOUT);
      assertRefused(ErrorCode.ABORTED, () -> split(cluster, "r", 0, Optional.empty()));
      assertThat(cluster.client.state().requireTable("r").definition().actors()).isEqualTo(1);
      cluster.client.update("r", new Add(), List.of(new Amount("k", 1)), UpdateOptions.ALL_COPIES);
      assertThat(sums(cluster, "r", Keys.ALL)).isEqualTo(Map.of("k", 1L));
    }
  }

  private static void split(
      LocalCluster cluster, String table, int actor, Optional<PartitionKey> at) {
    cluster.client.admin().split(table, actor, at, TIMEOUT);
  }

  @Test
  void whatWasSplitIsThereAfterARestart() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.NONE);
      add(cluster, 0, 50);
      cluster.client.admin().split("t", 0, Optional.empty(), TIMEOUT);
      add(cluster, 50, 100);
      for (String server : List.of("s1", "s2", "s3")) {
        cluster.kill(server);
      }
      for (String server : List.of("s1", "s2", "s3")) {
        cluster.start(server);
      }
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
      cluster.client.admin().split("t", 1, Optional.empty(), TIMEOUT);
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
    }
  }

  @Test
  void anUpdateThatIsSentAgainAfterASplitIsAppliedOnce() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.NONE);
      UpdateOptions again = keyed("the same");
      List<Amount> amounts = IntStream.range(0, 20).mapToObj(i -> new Amount("k" + i, 1)).toList();
      cluster.client.update("t", new Add(), amounts, again);
      cluster.client.admin().split("t", 0, Optional.empty(), TIMEOUT);
      cluster.client.update("t", new Add(), amounts, again);
      assertThat(sums(cluster, "t")).isEqualTo(ones(20));
    }
  }

  @Test
  void aTableIsRestoredAsOfBeforeAndAfterASplit() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.SYNCHRONOUS);
      add(cluster, 0, 30);
      Instant before = passing(cluster);
      cluster.client.admin().split("t", 0, Optional.empty(), TIMEOUT);
      add(cluster, 30, 60);
      Instant after = passing(cluster);
      add(cluster, 60, 90);

      restore(cluster, "before", before);
      restore(cluster, "after", after);
      assertThat(sums(cluster, "before")).isEqualTo(ones(30));
      assertThat(sums(cluster, "after")).isEqualTo(ones(60));
      assertThat(cluster.client.state().requireTable("before").definition().actors()).isEqualTo(1);
      assertThat(cluster.client.state().requireTable("after").definition().actors()).isEqualTo(2);
      cluster.client.admin().split("after", 1, Optional.empty(), TIMEOUT);
      assertThat(sums(cluster, "after")).isEqualTo(ones(60));
    }
  }

  @Test
  void anActorThatIsTooLargeIsSplitUnasked() throws Exception {
    PlacementPolicies policies =
        new PlacementPolicies(
            new FewestCopies(), Map.of("greedy", new Greedy(new BalanceSettings(0.1, 1_000, 1))));
    PlacementSettings settings =
        PlacementSettings.DEFAULT
            .with("greedy", Optional.of(Duration.ofMillis(200)))
            .with(new SplitSettings(64 * 60, 1_000));
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, Duration.ofSeconds(40), policies, settings)) {
      create(cluster, new Partitioner.Hash(1), 1, Durability.NONE);
      add(cluster, 0, 100);
      cluster.await(state -> state.requireTable("t").actors().size() > 1);
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
    }
  }
}
