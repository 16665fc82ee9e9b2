package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.ONE_VERSION;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ScanMessage.FormerKeys;
import io.uniserve.runtime.wire.ScanMessage.Page;
import io.uniserve.runtime.wire.ScanMessage.ReadPage;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Request;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of scans is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class ScanDefectsTest {
  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a merged actor gives a part of a scan the keys of the other part, too",
            EnumSet.of(EXACT_ANSWER),
            () ->
                (Request)
                    request ->
                        request instanceof ReadPage read
                            ? reading(read, List.of(), read.place())
                            : request),
        new Defect(
            "a scan begins an actor again instead of going on",
            EnumSet.of(EXACT_ANSWER),
            () ->
                (Request)
                    request ->
                        request instanceof ReadPage read
                            ? reading(read, read.only(), Optional.empty())
                            : request),
        new Defect(
            "a scan of a version reads the newest data",
            EnumSet.of(ONE_VERSION),
            () ->
                (Request)
                    request ->
                        request instanceof ReadPage read && read.version().isPresent()
                            ? unversioned(read)
                            : request),
        new Defect(
            "the place of a scan moves on although its page was lost",
            EnumSet.of(READ_AFTER_ACKNOWLEDGEMENT),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Page page && page.next().isPresent()
                            ? new Page(List.of(), 0, page.next(), page.read(), page.total())
                            : reply));
  }

  private static Message unversioned(ReadPage read) {
    return new ReadPage(
        read.grant(),
        read.table(),
        read.actor(),
        read.generation(),
        read.only(),
        read.operator(),
        read.place(),
        read.bytesMax(),
        Optional.empty(),
        read.next());
  }

  private static Message reading(ReadPage read, List<FormerKeys> only, Optional<ByteBuffer> place) {
    return new ReadPage(
        read.grant(),
        read.table(),
        read.actor(),
        read.generation(),
        only,
        read.operator(),
        place,
        read.bytesMax(),
        read.version(),
        read.next());
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, ClusterShape::ofScans);
  }
}
