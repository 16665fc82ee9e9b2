package io.uniserve.runtime.cluster;

import static io.uniserve.runtime.cluster.ReshapedTally.TIMEOUT;
import static io.uniserve.runtime.cluster.ReshapedTally.add;
import static io.uniserve.runtime.cluster.ReshapedTally.assertRefused;
import static io.uniserve.runtime.cluster.ReshapedTally.createOrdered;
import static io.uniserve.runtime.cluster.ReshapedTally.goOn;
import static io.uniserve.runtime.cluster.ReshapedTally.keyed;
import static io.uniserve.runtime.cluster.ReshapedTally.loads;
import static io.uniserve.runtime.cluster.ReshapedTally.ones;
import static io.uniserve.runtime.cluster.ReshapedTally.partitioner;
import static io.uniserve.runtime.cluster.ReshapedTally.passing;
import static io.uniserve.runtime.cluster.ReshapedTally.restore;
import static io.uniserve.runtime.cluster.ReshapedTally.split;
import static io.uniserve.runtime.cluster.ReshapedTally.sums;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Actors of ordered tables are split, in one process and with real time. */
@Timeout(90)
class OrderedSplitTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void noQueryFailsOrMissesAnythingWhileActorsAreSplit(Durability durability) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, durability);
      List<Rounds> loads = loads(cluster);
      for (int actor : List.of(0, 1, 0, 2)) {
        split(cluster, actor);
        goOn(loads);
      }
      loads.forEach(Rounds::close);
      assertThat(partitioner(cluster).actors()).isEqualTo(5);
    }
  }

  @Test
  void anUpdateThatIsSentAgainAfterASplitHappensOnceOrIsRefusedAsBefore() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      createOrdered(cluster, 2, Durability.NONE);
      List<Amount> good = IntStream.range(0, 20).mapToObj(i -> new Amount("k" + i, 1)).toList();
      List<Amount> bad = new ArrayList<>(good);
      bad.add(new Amount("k0", -1));
      cluster.client.update("t", new Add(), good, keyed("good"));
      assertRefused(
          ErrorCode.INVALID_ARGUMENT,
          () -> cluster.client.update("t", new Add(), bad, keyed("bad")));
      split(cluster, 0);
      cluster.client.update("t", new Add(), good, keyed("good"));
      assertRefused(
          ErrorCode.INVALID_ARGUMENT,
          () -> cluster.client.update("t", new Add(), bad, keyed("bad")));
      assertThat(sums(cluster, "t")).isEqualTo(ones(20));
    }
  }

  @Test
  void whatWasSplitIsThereAfterARestartAndGoesOn() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, Durability.NONE);
      add(cluster, 0, 50);
      split(cluster, 0);
      add(cluster, 50, 100);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      assertThat(sums(cluster, "t")).isEqualTo(ones(100));
      add(cluster, 100, 120);
      split(cluster, 1);
      add(cluster, 120, 140);
      assertThat(sums(cluster, "t")).isEqualTo(ones(140));
    }
  }

  @Test
  void aTableIsRestoredAsOfBeforeAndAfterASplit() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      createOrdered(cluster, 2, Durability.SYNCHRONOUS);
      add(cluster, 0, 30);
      Instant before = passing(cluster);
      split(cluster, 0);
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
}
