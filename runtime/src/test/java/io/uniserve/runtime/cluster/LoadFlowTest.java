package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.LoadMessage.ServerLoad;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoadFlowTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir Path directory;

  @Test
  void whatQueriesReadAndCostReachesTheCoordinator() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      Partitioner actors = new Partitioner.Hash(6);
      cluster.client.createTable(
          new TableDefinition("t", "tally", actors, 1, Durability.NONE, Map.of()), TIMEOUT);
      PartitionKey key = PartitionKey.of("k");
      int hot = actors.actorOf(key);
      Plan<?> one =
          new Plan.Query<>(Source.table("t", Keys.of(key)), new Total(), TallyEngine.adding());
      Load load =
          await(
              cluster,
              one,
              known ->
                  known.actors().size() == 6
                      && known.actors().getFirst().operatorsPerSecond() > 1
                      && !known.sets().isEmpty());
      ActorId id = cluster.client.state().requireTable("t").actorId(hot);
      assertThat(load.actors().getFirst().actor()).isEqualTo(id);
      assertThat(load.actors().getFirst().load()).isPositive();
      assertThat(load.actors().getLast().operatorsPerSecond()).isZero();
      assertThat(load.sets())
          .singleElement()
          .extracting(SetFigures::actors)
          .isEqualTo(List.of(hot));
      assertThat(load.servers()).hasSize(3).allMatch(ServerLoad::known);
      String holder = cluster.client.state().actor(id).orElseThrow().primary();
      assertThat(load.servers())
          .filteredOn(server -> server.server().equals(holder))
          .allMatch(server -> server.figures().utilization() > 0);
    }
  }

  /** Asks until the coordinator knows the wanted load. */
  private static Load await(LocalCluster cluster, Plan<?> plan, Predicate<Load> wanted) {
    Deadline deadline = Deadline.after(cluster.clock, Duration.ofSeconds(20));
    while (true) {
      cluster.client.query(plan, QueryOptions.DEFAULT);
      Load load = cluster.client.view().load(TIMEOUT);
      if (wanted.test(load)) {
        return load;
      }
      deadline.check(cluster.clock, "load " + load);
    }
  }
}
