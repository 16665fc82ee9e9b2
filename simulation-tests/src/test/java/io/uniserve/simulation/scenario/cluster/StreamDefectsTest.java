package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;
import static io.uniserve.kernel.Invariant.STREAM_RECORDS_ONCE;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.ReportStream;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.StreamOffsets;
import io.uniserve.runtime.wire.entry.UpdateKey;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Work;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of streams is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class StreamDefectsTest {
  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an actor does not write a watermark with the rows of a stream",
            EnumSet.of(SAME_ORDER_ON_COPIES, STREAM_RECORDS_ONCE),
            WithoutWatermark::new),
        new Defect(
            "the parts of a split actor do not inherit its watermarks",
            EnumSet.of(SAME_ORDER_ON_COPIES, STREAM_RECORDS_ONCE),
            NotInherited::new),
        new Defect(
            "the progress of a stream is written apart from the rows, before them",
            EnumSet.of(STREAM_RECORDS_ONCE),
            ProgressAhead::new));
  }

  private static Update with(Update update, UpdateKey key) {
    return new Update(
        update.actor(),
        update.generation(),
        key,
        update.function(),
        update.records(),
        update.allCopies());
  }

  /** An interception that leaves an update its key, and takes the offsets from it. */
  private static final class WithoutWatermark implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Update update && update.key().offsets().isPresent()
          ? with(
              update,
              new UpdateKey(update.key().name(), update.key().bornMillis(), update.key().body()))
          : request;
    }
  }

  /**
   * An interception that gives the partitions of a stream another name once an actor was split, so
   * that its parts have watermarks of their own only.
   */
  private static final class NotInherited implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      if (!(request instanceof Update update) || update.generation() == 0) {
        return request;
      }
      Optional<StreamOffsets> offsets = update.key().offsets();
      return offsets.isEmpty()
          ? request
          : with(
              update,
              UpdateKey.of(
                  new StreamOffsets(
                      Hash.of(offsets.get().partition() + "/" + update.generation()),
                      offsets.get().first(),
                      offsets.get().next())));
    }
  }

  /** An interception that has all records count as stored that the topic has. */
  private static final class ProgressAhead implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof ReportStream report
          ? new ReportStream(
              report.name(),
              report.runner(),
              report.term(),
              report.topic(),
              report.partitions().stream().map(ProgressAhead::ahead).toList(),
              report.skipped(),
              report.failure())
          : request;
    }

    private static StreamPartition ahead(StreamPartition partition) {
      return new StreamPartition(
          partition.number(),
          partition.begun(),
          Math.max(partition.next(), partition.end()),
          partition.end(),
          partition.skipped());
    }
  }

  static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(2),
            2,
            Durability.NONE,
            Consistency.EVENTUAL,
            Map.of());
    List<FaultKind> faults = List.of(FaultKind.CRASH, FaultKind.PARTITION, FaultKind.PAUSE);
    Work work = Work.USUAL.withSplitters(1).withoutDefiners().withStream();
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000, work);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, StreamDefectsTest::shape);
  }
}
