package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.OrderedMessage.ShortTaken;
import io.uniserve.runtime.wire.OrderedMessage.SubmitShort;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
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
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one rule of the short way is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class ShortWayDefectsTest {
  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an update on the short way does not say what its session has heard of",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            () -> (Request) ShortWayDefectsTest::withoutSight),
        new Defect(
            "a session is not told how far the actor of an update on the short way is",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            () -> (Answer) (request, reply) -> withoutReach(reply)));
  }

  private static Message withoutSight(Message request) {
    return request instanceof SubmitShort submit
        ? new SubmitShort(
            submit.actor(), submit.generation(), Optional.of(Mark.NONE), submit.updates())
        : request;
  }

  private static Message withoutReach(Message reply) {
    return reply instanceof ShortTaken taken
        ? new ShortTaken(taken.results(), Mark.NONE, taken.withheld())
        : reply;
  }

  private static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            3,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    List<FaultKind> faults =
        List.of(FaultKind.CRASH, FaultKind.PARTITION, FaultKind.ONE_WAY_CUT, FaultKind.PAUSE);
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, ShortWayDefectsTest::shape);
  }
}
