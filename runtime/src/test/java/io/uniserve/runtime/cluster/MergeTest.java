package io.uniserve.runtime.cluster;

import static io.uniserve.runtime.cluster.ReshapedTally.TIMEOUT;
import static io.uniserve.runtime.cluster.ReshapedTally.add;
import static io.uniserve.runtime.cluster.ReshapedTally.assertRefused;
import static io.uniserve.runtime.cluster.ReshapedTally.create;
import static io.uniserve.runtime.cluster.ReshapedTally.goOn;
import static io.uniserve.runtime.cluster.ReshapedTally.keyed;
import static io.uniserve.runtime.cluster.ReshapedTally.living;
import static io.uniserve.runtime.cluster.ReshapedTally.loads;
import static io.uniserve.runtime.cluster.ReshapedTally.merge;
import static io.uniserve.runtime.cluster.ReshapedTally.ones;
import static io.uniserve.runtime.cluster.ReshapedTally.partitioner;
import static io.uniserve.runtime.cluster.ReshapedTally.passing;
import static io.uniserve.runtime.cluster.ReshapedTally.restore;
import static io.uniserve.runtime.cluster.ReshapedTally.split;
import static io.uniserve.runtime.cluster.ReshapedTally.sums;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.policy.placement.Greedy;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.control.settings.MergeSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.io.UncheckedIOException;
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
class MergeTest {
  @TempDir Path directory;

  @Test
  void whatWasSplitIsOneAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.NONE);
      add(cluster, 0, 50);
      split(cluster, 0);
      add(cluster, 50, 100);
      merge(cluster, 1);
      assertThat(partitioner(cluster).actorsOf(Keys.ALL)).containsExactly(2);
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
      add(cluster, 100, 150);
      assertThat(sums(cluster, "t")).isEqualTo(ones(150));
      split(cluster, 2);
      assertThat(sums(cluster, "t")).isEqualTo(ones(150));
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void noQueryFailsOrMissesAnythingWhileActorsAreMerged(Durability durability) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, new Partitioner.Hash(1), 2, durability);
      List<Rounds> loads = loads(cluster);
      split(cluster, 0);
      split(cluster, 1);
      goOn(loads);
      merge(cluster, 1);
      goOn(loads);
      merge(cluster, 0);
      split(cluster, 4);
      goOn(loads);
      merge(cluster, 4);
      goOn(loads);
      loads.forEach(Rounds::close);
      assertThat(partitioner(cluster).actorsOf(Keys.ALL)).containsExactly(6);
    }
  }

  @Test
  void copiesAreMovedTogetherFirst() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 4)) {
      create(cluster, new Partitioner.Range(List.of(PartitionKey.of("k5"))), 2, Durability.NONE);
      add(cluster, 0, 100);
      List<String> first = servers(cluster, 0);
      assertThat(servers(cluster, 1)).as("the test wants them apart").isNotEqualTo(first);
      cluster.client.admin().merge("t", 1, Optional.of(0), TIMEOUT);
      assertThat(servers(cluster, 2)).isEqualTo(first);
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
      assertThat(partitioner(cluster).living()).isEqualTo(1);
    }
  }

  /** Sends an update to a primary that may hear of the split after the client did. */
  private static void applied(LocalCluster cluster, Update update) {
    cluster.await(
        state -> {
          try {
            cluster.ask(state.actor(update.actor()).orElseThrow().primary(), update, Updated.class);
            return true;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } catch (UniserveException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.STALE_ROUTING);
            return false;
          }
        });
  }

  private static List<String> servers(LocalCluster cluster, int actor) {
    ActorState now = cluster.client.state().requireTable("t").actors().get(actor);
    return now.copies().stream().map(CopyState::server).sorted().toList();
  }

  @Test
  void whatCannotBeMergedIsRefused() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Hash(2), 1, Durability.NONE);
      assertRefused(ErrorCode.NOT_FOUND, () -> merge(cluster, 2));
      assertRefused(ErrorCode.INVALID_ARGUMENT, () -> merge(cluster, 0));
      split(cluster, 0);
      split(cluster, 0);
      assertRefused(
          ErrorCode.INVALID_ARGUMENT,
          () -> cluster.client.admin().merge("t", 0, Optional.of(2), TIMEOUT));
      merge(cluster, 0);
      assertRefused(ErrorCode.NOT_FOUND, () -> merge(cluster, 0));
      assertRefused(ErrorCode.NOT_FOUND, () -> split(cluster, 3));
      assertThat(partitioner(cluster).actorsOf(Keys.ALL)).containsExactly(1, 2, 4);
    }
  }

  @Test
  void whatWasMergedIsThereAfterARestart() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.NONE);
      add(cluster, 0, 50);
      split(cluster, 0);
      merge(cluster, 0);
      add(cluster, 50, 100);
      for (String server : List.of("s1", "s2", "s3")) {
        cluster.kill(server);
      }
      for (String server : List.of("s1", "s2", "s3")) {
        cluster.start(server);
      }
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
    }
  }

  @Test
  void anUpdateThatIsSentAgainAfterAMergeIsAppliedOnceToEachPart() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.NONE);
      split(cluster, 0);
      UpdateOptions again = keyed("the same");
      List<Amount> amounts = IntStream.range(0, 20).mapToObj(i -> new Amount("k" + i, 1)).toList();
      Partitioner parts = partitioner(cluster);
      List<Amount> ofOne =
          amounts.stream().filter(one -> parts.actorOf(one.partitionKey()) == 1).toList();
      assertThat(ofOne).isNotEmpty().hasSizeLessThan(20);
      // The client is stopped halfway.
      ActorId one = new ActorId(cluster.client.table("t").orElseThrow().id(), 1);
      Update half =
          new Update(
              one,
              parts.generation(1),
              UpdateKey.of("the same"),
              Payload.of("tally", new Add()),
              Payload.of("tally", ofOne),
              true);
      applied(cluster, half);
      merge(cluster, 0);
      cluster.client.update("t", new Add(), amounts, again);
      assertThat(sums(cluster, "t")).isEqualTo(ones(20));
      split(cluster, 2);
      cluster.client.update("t", new Add(), amounts, again);
      assertThat(sums(cluster, "t")).isEqualTo(ones(20));
    }
  }

  @Test
  void aTableIsRestoredAsOfBeforeAndAfterAMerge() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, new Partitioner.Hash(1), 2, Durability.ASYNCHRONOUS);
      split(cluster, 0);
      add(cluster, 0, 30);
      Instant before = passing(cluster);
      merge(cluster, 0);
      add(cluster, 30, 60);
      Instant after = passing(cluster);
      add(cluster, 60, 90);
      cluster.client.backups().backUp("t", TIMEOUT);

      restore(cluster, "before", before);
      restore(cluster, "after", after);
      assertThat(sums(cluster, "before")).isEqualTo(ones(30));
      assertThat(sums(cluster, "after")).isEqualTo(ones(60));
      assertThat(living(cluster, "before")).isEqualTo(2);
      assertThat(living(cluster, "after")).isEqualTo(1);
      cluster.client.admin().merge("before", 0, Optional.empty(), TIMEOUT);
      assertThat(sums(cluster, "before")).isEqualTo(ones(30));
      cluster.client.admin().split("after", 2, Optional.empty(), TIMEOUT);
      assertThat(sums(cluster, "after")).isEqualTo(ones(60));
    }
  }

  @Test
  void partsOfASplitThatStayColdAreMergedUnasked() throws Exception {
    PlacementPolicies policies =
        new PlacementPolicies(
            new FewestCopies(), Map.of("greedy", new Greedy(new BalanceSettings(0.1, 1_000, 1))));
    PlacementSettings settings =
        PlacementSettings.DEFAULT
            .with("greedy", Optional.of(Duration.ofMillis(200)))
            .with(new MergeSettings(0.25, Duration.ofSeconds(1)));
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, Duration.ofSeconds(40), policies, settings)) {
      create(cluster, new Partitioner.Hash(2), 1, Durability.NONE);
      add(cluster, 0, 100);
      split(cluster, 0);
      cluster.await(state -> !state.requireTable("t").definition().partitioner().has(2));
      assertThat(partitioner(cluster).actorsOf(Keys.ALL)).containsExactly(1, 3);
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
    }
  }
}
