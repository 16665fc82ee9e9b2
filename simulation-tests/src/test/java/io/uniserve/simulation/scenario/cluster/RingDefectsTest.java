package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.RING_CHANGES_IN_ORDER;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.ChangeRing;
import io.uniserve.runtime.wire.ControlMessage.RingChangeRecorded;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Request;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of changes of rings is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class RingDefectsTest {
  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a client is told the number of another change of a ring",
            EnumSet.of(RING_CHANGES_IN_ORDER),
            () -> (Answer) (request, reply) -> misnumbered(reply)),
        new Defect(
            "a server gets another identifier than was asked for",
            EnumSet.of(RING_CHANGES_IN_ORDER),
            () -> (Request) RingDefectsTest::elsewhere));
  }

  private static Message misnumbered(Message reply) {
    return reply instanceof RingChangeRecorded recorded && recorded.number() > 1
        ? new RingChangeRecorded(recorded.table(), recorded.number() - 1, recorded.version())
        : reply;
  }

  private static Message elsewhere(Message request) {
    return request instanceof Submit submit
            && submit.request() instanceof ChangeRing change
            && change.change() instanceof RingChange.Expand expand
        ? new Submit(
            submit.sender(),
            submit.sequence(),
            submit.answeredBelow(),
            new ChangeRing(
                change.table(),
                new RingChange.Expand(expand.server(), PartitionKey.of(1)),
                change.after()))
        : request;
  }

  static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Range(List.of(PartitionKey.of(20), PartitionKey.of(40))),
            2,
            Durability.NONE,
            Map.of());
    return ClusterShape.onRing(
        table, List.of(FaultKind.PARTITION, FaultKind.ONE_WAY_CUT, FaultKind.MESSAGE_LOSS));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, RingDefectsTest::shape);
  }
}
