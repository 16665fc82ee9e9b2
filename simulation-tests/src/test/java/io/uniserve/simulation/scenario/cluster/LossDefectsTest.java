package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.ONE_VERSION;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.OnLoss;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.BackupMessage.RecoveryPlan;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableRecovered;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Work;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that some seed notices when a safety step is taken out of going on after a loss: a table
 * whose updates concern several actors goes on from the store at one cut, and the decision says
 * what is lost.
 */
@Execution(ExecutionMode.CONCURRENT)
class LossDefectsTest {
  private static final long LATER_MILLIS = 3_000;

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a loss is said to have begun later than it did",
            EnumSet.of(ACKNOWLEDGED_SURVIVES),
            () -> (Answer) (request, reply) -> later(reply)),
        new Defect(
            "an actor is loaded with less than the decision about a loss says",
            EnumSet.of(
                ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, ATOMIC_UPDATES, ONE_VERSION),
            () -> (Answer) (request, reply) -> shorter(reply)));
  }

  private static Message later(Message reply) {
    return reply instanceof RecoveryPlan plan
        ? new RecoveryPlan(
            plan.definition(),
            plan.origin(),
            plan.untilMillis().stream().map(at -> at + LATER_MILLIS).toList())
        : reply;
  }

  /** Returns news of a table that took the place of another, with less of each actor. */
  private static Message shorter(Message reply) {
    return reply instanceof StateChanges changes
        ? new StateChanges(
            changes.afterVersion(),
            changes.records().stream().map(LossDefectsTest::shorter).toList())
        : reply;
  }

  private static ControlRecord shorter(ControlRecord record) {
    if (!(record instanceof TableRecovered recovered)) {
      return record;
    }
    TableCreated made = recovered.table();
    Optional<TableOrigin> origin =
        made.origin()
            .map(
                known ->
                    new TableOrigin(
                        known.cluster(),
                        known.table(),
                        known.cut().stream().map(LossDefectsTest::shorter).toList()));
    return new TableRecovered(
        recovered.former(),
        new TableCreated(made.table(), made.definition(), origin, made.placement()),
        recovered.timeMillis(),
        recovered.why());
  }

  private static Cut shorter(Cut cut) {
    long sequence = cut.last().sequence() * 3 / 4;
    return new Cut(new Position(cut.last().epoch(), sequence), false);
  }

  /** Returns a cluster whose disks are lost, and with them all copies of an actor. */
  private static ClusterShape shape() {
    TableDefinition table =
        new TableDefinition(
                ClusterShape.TABLE,
                ModelEngine.NAME,
                new Partitioner.Hash(4),
                1,
                Durability.ASYNCHRONOUS,
                Consistency.SNAPSHOT,
                Map.of())
            .withOnLoss(OnLoss.restoreAfter(Duration.ofSeconds(1)));
    return new ClusterShape(
        1, 4_000, 4, 2, table, List.of(FaultKind.DISK_LOSS), 1_000, Work.USUAL.withoutDefiners());
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, seed -> shape());
  }
}
