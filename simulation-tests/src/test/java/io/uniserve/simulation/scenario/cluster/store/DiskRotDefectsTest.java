package io.uniserve.simulation.scenario.cluster.store;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.controllers.OtherDisk;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that some seed notices when a damaged disk of a server is trusted. */
@Execution(ExecutionMode.CONCURRENT)
class DiskRotDefectsTest {
  private static final String DEFECT = "a damaged checkpoint is trusted";

  /** Returns a cluster of two copies, of which that on one server is damaged again and again. */
  private static ClusterShape shape() {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(3),
            2,
            Durability.ASYNCHRONOUS,
            Map.of());
    List<FaultKind> faults =
        List.of(
            FaultKind.CRASH,
            FaultKind.FLIPPED_BIT,
            FaultKind.LOST_WRITE,
            FaultKind.MISDIRECTED_WRITE);
    return new ClusterShape(1, 4_000, 3, 2, table, faults, 1_000);
  }

  @Test
  void someSeedNotices() {
    SeedSearch.assertSomeSeedNotices(
        DEFECT,
        EnumSet.of(
            ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, EXACT_ANSWER, SAME_ORDER_ON_COPIES),
        () ->
            ClusterScenario.onMachines(
                DEFECT,
                machine -> new OtherDisk(machine, UnsummedCheckpoints::new),
                seed -> shape()));
  }
}
