package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Half;
import io.uniserve.runtime.wire.ReplicationMessage.Unite;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With one safety step of merges taken out, some seed notices. */
@Execution(ExecutionMode.CONCURRENT)
class MergeDefectsTest {

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "copies of a new actor are made of one of the two alone",
            EnumSet.of(
                EXACT_ANSWER,
                SAME_ORDER_ON_COPIES,
                ACKNOWLEDGED_SURVIVES,
                READ_AFTER_ACKNOWLEDGEMENT),
            0,
            OneAlone::new),
        new Defect(
            "primaries of actors that end promise nothing",
            EnumSet.of(ONE_PRIMARY, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            21,
            NoPromise::new));
  }

  private static final class OneAlone implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      if (!(request instanceof Unite unite)) {
        return request;
      }
      Half first = unite.halves().getFirst();
      return new Unite(List.of(first, first), unite.partitioner(), unite.into(), unite.birth());
    }
  }

  private static final class NoPromise implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Fence fence
          ? new Fence(fence.actor(), fence.copy(), fence.epoch(), fence.at(), 0)
          : request;
    }
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, SplitDefectsTest::shape);
  }
}
