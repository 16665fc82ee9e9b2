package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.ONE_VERSION;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.TransactionMessage.AbortUpdate;
import io.uniserve.runtime.wire.TransactionMessage.CommitUpdate;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Prepared;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
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

/** Tests that some seed notices when a group of transactions is not treated as one. */
@Execution(ExecutionMode.CONCURRENT)
class GroupDefectsTest {
  private static final String ONE = "server-0";

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a server prepares only the first update of a group",
            EnumSet.of(ONE_VERSION, ATOMIC_UPDATES, READ_AFTER_ACKNOWLEDGEMENT),
            FirstOnly::new),
        new Defect(
            "a group is committed on some actors and aborted on others",
            EnumSet.of(ONE_VERSION, ATOMIC_UPDATES, READ_AFTER_ACKNOWLEDGEMENT),
            HalfDecided::new),
        new Defect(
            "a group with a refused member is decided",
            EnumSet.of(ONE_VERSION, ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES),
            RefusedAndDecided::new),
        new Defect(
            "a server reads the version before the one that it was asked for",
            EnumSet.of(ONE_VERSION, READ_AFTER_ACKNOWLEDGEMENT),
            EarlierVersion::new));
  }

  private static final class FirstOnly implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof PrepareUpdate prepare && to.equals(ONE)
          ? PrepareUpdate.of(
              prepare.actor(),
              prepare.generation(),
              prepare.transaction(),
              prepare.members().subList(0, 1))
          : request;
    }
  }

  private static final class HalfDecided implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof CommitUpdate commit && to.equals(ONE) && !commit.others().isEmpty()
          ? new AbortUpdate(commit.actor(), commit.decided().transaction())
          : request;
    }
  }

  private static final class RefusedAndDecided implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return reply instanceof Prepared prepared && prepared.refused().isPresent()
          ? new Prepared(
              prepared.epoch(),
              prepared.timeMillis(),
              prepared.applied(),
              prepared.others(),
              Optional.empty())
          : reply;
    }
  }

  private static final class EarlierVersion implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Retrieve retrieve && to.equals(ONE) ? earlier(retrieve) : request;
    }

    private static Retrieve earlier(Retrieve retrieve) {
      return new Retrieve(
          retrieve.table(),
          retrieve.actors(),
          retrieve.generations(),
          retrieve.operator(),
          retrieve.brief(),
          retrieve.point().map(EarlierVersion::earlier));
    }

    private static ReadPoint earlier(ReadPoint point) {
      return point instanceof ReadPoint.Version version
          ? new ReadPoint.Version(Math.max(1, version.number() - 1))
          : point;
    }
  }

  /** Returns a cluster of a snapshot table, whose readers see a single version. */
  private static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            2,
            Durability.NONE,
            Consistency.SNAPSHOT,
            Map.of());
    List<FaultKind> faults = List.of(FaultKind.CRASH, FaultKind.PAUSE);
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, GroupDefectsTest::shape);
  }
}
