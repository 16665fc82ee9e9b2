package io.uniserve.simulation.scenario.cluster.store;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.OnLoss;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Storage;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Work;
import io.uniserve.simulation.scenario.controllers.OtherDisk;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that some seed notices when a damaged log is trusted. The log is that of an actor's only
 * copy: the actor waits for it, and then continues from the store by a decision. Without that
 * decision nothing may be lost.
 */
@Execution(ExecutionMode.CONCURRENT)
class LogRotDefectsTest {
  /** The wait for a lost copy. A server that was restarted is back by then. */
  private static final Duration WAIT = Duration.ofSeconds(4);

  /** The bytes of log between two checkpoints: most of a log is needed after a restart. */
  private static final long CHECKPOINT_BYTES = 10_000;

  record Defect(String name, UnaryOperator<Storage> disk) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect("a log is cut off at any damage, as if a crash had torn it", CutLogs::new),
        new Defect(
            "checksums of a log's entries are not compared",
            disk -> new UnsummedLogs(disk, file -> file.toString().endsWith(".log"))));
  }

  /** Returns a cluster in which one server is restarted with a damaged log, again and again. */
  private static ClusterShape shape() {
    TableDefinition table =
        new TableDefinition(
                ClusterShape.TABLE,
                ModelEngine.NAME,
                new Partitioner.Hash(4),
                1,
                Durability.ASYNCHRONOUS,
                Consistency.ORDERED,
                Map.of())
            .withOnLoss(OnLoss.restoreAfter(WAIT));
    return new ClusterShape(
        1,
        4_000,
        3,
        2,
        table,
        List.of(FaultKind.ROT_WHILE_DOWN),
        CHECKPOINT_BYTES,
        Work.USUAL.withoutDefiners());
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        EnumSet.of(
            ACKNOWLEDGED_SURVIVES,
            READ_AFTER_ACKNOWLEDGEMENT,
            ATOMIC_UPDATES,
            EXACT_ANSWER,
            SAME_ORDER_ON_COPIES,
            TOTAL_ORDER),
        () ->
            ClusterScenario.onMachines(
                defect.name(), machine -> new OtherDisk(machine, defect.disk()), seed -> shape()));
  }
}
