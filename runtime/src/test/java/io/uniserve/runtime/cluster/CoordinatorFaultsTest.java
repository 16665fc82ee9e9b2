package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.cluster.FaultyStorage.Write;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A failure in one decision affects no other. */
@Timeout(60)
class CoordinatorFaultsTest {
  @TempDir Path directory;

  @Test
  void aDefectInAnEnginesValidationIsTheCallersErrorAlone() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      assertThatThrownBy(() -> create(cluster, 1, Map.of("defect", true)))
          .hasMessageContaining("a defect of the engine");
      assertThat(create(cluster, 1, Map.of())).isNotNull();
    }
  }

  @Test
  void aRepairThatCannotBeRecordedIsTriedAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, 2, Map.of());
      cluster.await(state -> copiesOn(state, "s2") > 0);
      FaultyStorage disk = cluster.disk("controller");
      disk.fail(Write.APPEND, "log-0000000000000000001", 1, 3);
      cluster.kill("s2");
      cluster.await(state -> !state.alive("s2") && copiesOn(state, "s2") == 0);
      assertThat(disk.left()).isZero();
    }
  }

  @Test
  void aVersionThatNeverWasIsNotSubscribedTo() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      assertThatThrownBy(() -> cluster.ask("controller", new Subscribe("", -1), StateChanges.class))
          .hasMessageContaining("version -1");
    }
  }

  @Test
  void aListenerThatFailsDelaysNobody() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster
          .client
          .view()
          .onChange(
              (state, record) -> {
                throw new IllegalStateException("a defect of the listener");
              });
      ConcurrentLinkedQueue<ControlRecord> changes = new ConcurrentLinkedQueue<>();
      cluster.client.view().onChange((state, record) -> changes.add(record));
      create(cluster, 2, Map.of());
      assertThat(changes).anyMatch(ControlRecord.CopyReady.class::isInstance);
    }
  }

  private static Object create(LocalCluster cluster, int replicas, Map<String, Object> schema) {
    return cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(4), replicas, Durability.NONE, schema),
        Duration.ofSeconds(10));
  }

  private static long copiesOn(ClusterState state, String server) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .filter(actor -> actor.copyOn(server).isPresent())
        .count();
  }
}
