package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.MOVES_KEEP_COPIES;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.PROGRESS;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.ReplicationMessage.Checkpoint;
import io.uniserve.runtime.wire.ReplicationMessage.Entries;
import io.uniserve.runtime.wire.ReplicationMessage.FileChunk;
import io.uniserve.runtime.wire.ReplicationMessage.FileInfo;
import io.uniserve.runtime.wire.ReplicationMessage.Follow;
import io.uniserve.runtime.wire.ReplicationMessage.HandOver;
import io.uniserve.runtime.wire.ReplicationMessage.HandedOver;
import io.uniserve.runtime.wire.ReplicationMessage.ReadFile;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRemoved;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.store.FirstVersion;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that some seed notices when one safety step of moves, or of queries under failure, is taken
 * out.
 */
@Execution(ExecutionMode.CONCURRENT)
class MoveDefectsTest {

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a server drops its copy as soon as it hears that it is to move",
            EnumSet.of(
                PROGRESS, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, MOVES_KEEP_COPIES),
            DroppedEarly::new),
        new Defect(
            "a primary hands over without waiting for its successor",
            EnumSet.of(ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, SAME_ORDER_ON_COPIES),
            HandedOverEarly::new),
        new Defect(
            "a primary that could not hand over says that it has",
            EnumSet.of(ONE_PRIMARY, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            NeverHandedOver::new),
        new Defect(
            "a damaged checkpoint is taken from another server, without its checksums",
            EnumSet.of(SAME_ORDER_ON_COPIES, ACKNOWLEDGED_SURVIVES, EXACT_ANSWER),
            DamagedOnTheWay::new),
        new Defect(
            "a copy is called level before it is",
            EnumSet.of(READ_AFTER_ACKNOWLEDGEMENT, ACKNOWLEDGED_SURVIVES),
            () ->
                (Answer)
                    (request, reply) ->
                        request instanceof Follow follow && reply instanceof Entries some
                            ? calledLevel(follow, some)
                            : reply),
        new Defect(
            "the values of an actor are counted twice",
            EnumSet.of(EXACT_ANSWER),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Retrieved some
                            ? new Retrieved(some.actor(), twice(some.values()), some.last())
                            : reply),
        new Defect(
            "an actor that could not answer counts as part of the answer",
            EnumSet.of(EXACT_ANSWER),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Unretrieved failed
                            ? new Retrieved(failed.actor(), List.of(), true)
                            : reply));
  }

  private static Entries calledLevel(Follow follow, Entries some) {
    List<LogEntry> first = some.entries().subList(0, Math.min(1, some.entries().size()));
    Position end = first.isEmpty() ? follow.after() : first.getLast().position();
    return new Entries(first, end);
  }

  private static List<Payload> twice(List<Payload> values) {
    List<Payload> all = new ArrayList<>(values);
    all.addAll(values);
    return all;
  }

  /**
   * An interception that tells a server that its copy is gone, although the copy has yet to move.
   */
  private static final class DroppedEarly implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return reply instanceof StateChanges changes
          ? new StateChanges(
              changes.afterVersion(),
              changes.records().stream().map(record -> asToldTo(to, record)).toList())
          : reply;
    }

    private static ControlRecord asToldTo(String server, ControlRecord record) {
      return record instanceof MoveRequested move && move.from().equals(server)
          ? new CopyRemoved(move.actor(), move.from(), move.why())
          : record;
    }
  }

  /** An interception that has the primary sealed and reports this as a hand-over. */
  private static final class HandedOverEarly implements Interception {
    private final List<Seal> asked = new ArrayList<>();

    @Override
    public Message request(String from, String to, Message request) {
      if (request instanceof HandOver handOver) {
        Seal seal = new Seal(handOver.actor(), handOver.from(), handOver.next());
        asked.add(seal);
        return seal;
      }
      return request;
    }

    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return reply instanceof Sealed sealed && request instanceof Seal seal && asked.remove(seal)
          ? new HandedOver(true, sealed.position())
          : reply;
    }
  }

  /**
   * An interception that asks the primary to wait for a server that does not exist, and takes the
   * refusal for a promise.
   */
  private static final class NeverHandedOver implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof HandOver handOver
          ? new HandOver(
              handOver.actor(),
              handOver.from(),
              new CopyId("nobody", 0),
              handOver.epoch(),
              handOver.next())
          : request;
    }

    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return reply instanceof HandedOver handed ? new HandedOver(true, handed.position()) : reply;
    }
  }

  /**
   * An interception that flips one bit of the first operation of a journal. The checkpoint seems to
   * be older than checksums are.
   */
  private static final class DamagedOnTheWay implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return switch (reply) {
        case Checkpoint checkpoint
            when checkpoint.files().stream().anyMatch(file -> file.name().equals("sums")) ->
            new Checkpoint(
                checkpoint.session(),
                checkpoint.position(),
                checkpoint.files().stream()
                    .filter(file -> !file.name().equals("sums"))
                    .map(DamagedOnTheWay::ofFirstVersion)
                    .toList());
        case FileChunk chunk
            when request instanceof ReadFile read
                && read.name().equals("meta")
                && read.offset() == 0 ->
            new FileChunk(ByteBuffer.wrap(FirstVersion.of(bytes(chunk.bytes()))));
        case FileChunk chunk
            when request instanceof ReadFile read
                && read.name().equals("engine/journal")
                && read.offset() == 0
                && chunk.bytes().remaining() >= 2 * Long.BYTES ->
            new FileChunk(flipped(chunk.bytes()));
        default -> reply;
      };
    }

    private static ByteBuffer flipped(ByteBuffer bytes) {
      byte[] copy = bytes(bytes);
      copy[2 * Long.BYTES - 1] ^= 1;
      return ByteBuffer.wrap(copy);
    }

    private static byte[] bytes(ByteBuffer of) {
      byte[] copy = new byte[of.remaining()];
      of.duplicate().get(copy);
      return copy;
    }

    private static FileInfo ofFirstVersion(FileInfo file) {
      return file.name().equals("meta")
          ? new FileInfo(file.name(), file.sizeBytes() - FirstVersion.ADDED_BYTES)
          : file;
    }
  }

  /**
   * Returns a cluster with two copies that move among four servers, with so few faults that moves
   * complete.
   */
  private static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            2,
            Durability.NONE,
            Map.of());
    return new ClusterShape(
        3, 4_000, 4, 2, table, List.of(FaultKind.ONE_WAY_CUT, FaultKind.SLOW_LINK), 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, MoveDefectsTest::shape);
  }
}
