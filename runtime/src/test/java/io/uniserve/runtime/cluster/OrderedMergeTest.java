package io.uniserve.runtime.cluster;

import static io.uniserve.runtime.cluster.ReshapedTally.TIMEOUT;
import static io.uniserve.runtime.cluster.ReshapedTally.add;
import static io.uniserve.runtime.cluster.ReshapedTally.assertRefused;
import static io.uniserve.runtime.cluster.ReshapedTally.createOrdered;
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

import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Keys;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Actors of ordered tables are merged, in one process and with real time. */
@Timeout(90)
class OrderedMergeTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void noQueryFailsOrMissesAnythingWhileActorsAreMerged(Durability durability) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, durability);
      List<Rounds> loads = loads(cluster);
      split(cluster, 0);
      split(cluster, 1);
      for (int actor : List.of(1, 0)) {
        goOn(loads);
        merge(cluster, actor);
      }
      goOn(loads);
      split(cluster, 4);
      goOn(loads);
      merge(cluster, 4);
      goOn(loads);
      loads.forEach(Rounds::close);
      assertThat(partitioner(cluster).actorsOf(Keys.ALL)).containsExactly(6);
    }
  }

  @Test
  void anUpdateThatIsSentAgainAfterAMergeHappensOnceOrIsRefusedAsBefore() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      createOrdered(cluster, 2, Durability.NONE);
      split(cluster, 0);
      List<Amount> good = IntStream.range(0, 20).mapToObj(i -> new Amount("k" + i, 1)).toList();
      List<Amount> half = new ArrayList<>(good);
      half.add(new Amount("k0", -1));
      cluster.client.update("t", new Add(), good, keyed("good"));
      int refusing = partitioner(cluster).actorOf(half.getLast().partitionKey());
      assertRefused(
          ErrorCode.INVALID_ARGUMENT,
          "(refused by actors [" + refusing + "]; it was applied on",
          () -> cluster.client.update("t", new Add(), half, keyed("half")));
      Map<String, Long> before = sums(cluster, "t");
      assertThat(before.values()).contains(1L, 2L);
      merge(cluster, 0);
      cluster.client.update("t", new Add(), good, keyed("good"));
      assertRefused(
          ErrorCode.INVALID_ARGUMENT,
          "(refused by former actor " + refusing + "; it was applied",
          () -> cluster.client.update("t", new Add(), half, keyed("half")));
      assertThat(sums(cluster, "t")).isEqualTo(before);
    }
  }

  @Test
  void whatWasMergedIsThereAfterARestartAndGoesOn() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, Durability.NONE);
      add(cluster, 0, 50);
      split(cluster, 0);
      add(cluster, 50, 100);
      merge(cluster, 0);
      add(cluster, 100, 110);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      assertThat(sums(cluster, "t")).isEqualTo(ones(110));
      add(cluster, 110, 120);
      split(cluster, 2);
      add(cluster, 120, 130);
      merge(cluster, 2);
      assertThat(sums(cluster, "t")).isEqualTo(ones(130));
    }
  }

  @Test
  void aTableIsRestoredAsOfBeforeAndAfterAMerge() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, Durability.SYNCHRONOUS);
      split(cluster, 0);
      add(cluster, 0, 30);
      Instant before = passing(cluster);
      merge(cluster, 0);
      add(cluster, 30, 60);
      Instant after = passing(cluster);
      add(cluster, 60, 90);

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

  /**
   * Two actors were merged. Another actor had received an update that both had received, and had
   * not stored it.
   */
  @Test
  void aTableWhoseStoreLacksWhatWasBeforeAMergeIsRestoredAsOfBeforeIt() throws Exception {
    Set<Path> before;
    long table;
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, Durability.SYNCHRONOUS);
      table = cluster.client.state().requireTable("t").id();
      split(cluster, 0);
      split(cluster, 1);
      add(cluster, 0, 30);
      before = stored(table, 0);
      add(cluster, 30, 60);
      merge(cluster, 1);
      add(cluster, 60, 90);
      assertThat(living(cluster, "t")).isEqualTo(2);
    }
    for (Path object : stored(table, 0)) {
      if (!before.contains(object)) {
        Files.delete(object);
      }
    }
    loseAllButTheStore();
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      cluster
          .client
          .backups()
          .restore(
              new Restore(List.of("t"), Optional.empty(), Optional.empty(), OptionalInt.empty()),
              TIMEOUT);
      assertThat(sums(cluster, "t")).isEqualTo(ones(30));
      assertThat(living(cluster, "t")).isEqualTo(3);
      merge(cluster, 1);
      add(cluster, 30, 60);
      assertThat(sums(cluster, "t")).isEqualTo(ones(60));
    }
  }

  /** Returns the names of the objects that the durable store has of one actor. */
  private Set<Path> stored(long table, int actor) throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("store"))) {
      return all.filter(Files::isRegularFile)
          .filter(path -> path.getParent().endsWith(Path.of(table + "/" + actor + "/history")))
          .collect(Collectors.toSet());
    }
  }

  private void loseAllButTheStore() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      for (Path process : all.filter(path -> !path.endsWith("store")).toList()) {
        new FileStorage(directory).deleteTree(process);
      }
    }
  }
}
