package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.AVAILABLE;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.ReportUnreached;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.ReplicationMessage.Entries;
import io.uniserve.runtime.wire.TransactionMessage.KeepTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnKept;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Request;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a seed notices when a defect makes requests fail or wait for ever while one process is
 * away.
 */
@Execution(ExecutionMode.CONCURRENT)
class FailoverDefectsTest {

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a client waits for its turn at a controller that does not decide any more",
            EnumSet.of(AVAILABLE),
            () ->
                (Answer)
                    (request, reply) ->
                        request instanceof KeepTurn && !(reply instanceof TurnKept)
                            ? new TurnKept(true)
                            : reply),
        new Defect(
            "a copy that was away gets no updates while a transaction is prepared",
            EnumSet.of(AVAILABLE),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Entries some && prepares(some)
                            ? new Entries(List.of(), some.end())
                            : reply),
        new Defect(
            "nobody is told which followers a primary does not reach",
            EnumSet.of(AVAILABLE),
            () ->
                (Request)
                    request ->
                        request instanceof ReportUnreached report
                            ? new ReportUnreached(report.server(), report.incarnation(), List.of())
                            : request),
        new Defect("one server never ends its answers", EnumSet.of(AVAILABLE), Endless::new));
  }

  private static boolean prepares(Entries some) {
    return some.entries().stream().anyMatch(LogEntry.Prepare.class::isInstance);
  }

  /** An interception that hides the end of one server's answers. */
  private static final class Endless implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return from.equals("server-0") && reply instanceof Retrieved some
          ? new Retrieved(some.actor(), some.values(), false)
          : reply;
    }
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, ClusterShape::ofFailover);
  }
}
