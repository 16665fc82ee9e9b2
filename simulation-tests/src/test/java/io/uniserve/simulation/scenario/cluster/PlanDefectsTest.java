package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.PlanMessage.TaskFailed;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.plan.Work;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of map, scatter and gather is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class PlanDefectsTest {
  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a chunk is lost between two pages",
            EnumSet.of(EXACT_ANSWER),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof FetchedChunks page && page.chunks().size() > 1
                            ? with(page, page.chunks().subList(1, page.chunks().size()))
                            : reply),
        new Defect(
            "a chunk comes twice",
            EnumSet.of(EXACT_ANSWER, SAME_ORDER_ON_COPIES),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof FetchedChunks page && page.chunks().size() > 1
                            ? with(page, doubled(page.chunks()))
                            : reply),
        new Defect(
            "a scatter that failed counts as complete",
            EnumSet.of(EXACT_ANSWER),
            () -> (Answer) PlanDefectsTest::ended),
        new Defect(
            "a table is made of the first half of what a plan has kept",
            EnumSet.of(READ_AFTER_ACKNOWLEDGEMENT),
            () -> (DefectsTest.Request) PlanDefectsTest::halved));
  }

  private static Message halved(Message request) {
    return request instanceof Submit submit
            && submit.request() instanceof CreateTable create
            && create.origin().filter(one -> KeptOutput.at(one.cluster()).isPresent()).isPresent()
        ? new Submit(
            submit.sender(),
            submit.sequence(),
            submit.answeredBelow(),
            new CreateTable(create.definition(), create.origin().map(PlanDefectsTest::halved)))
        : request;
  }

  private static TableOrigin halved(TableOrigin origin) {
    List<Cut> cut = new ArrayList<>(origin.cut());
    for (int i = cut.size() / 2; i < cut.size(); i++) {
      cut.set(i, new Cut(Position.START, false));
    }
    return new TableOrigin(origin.cluster(), origin.table(), cut);
  }

  private static FetchedChunks with(FetchedChunks page, List<FetchedChunk> chunks) {
    return new FetchedChunks(chunks, page.next(), page.last());
  }

  private static List<FetchedChunk> doubled(List<FetchedChunk> chunks) {
    List<FetchedChunk> more = new ArrayList<>(chunks);
    more.addFirst(chunks.getFirst());
    return more;
  }

  private static Message ended(Message request, Message reply) {
    return request instanceof RunTasks tasks
            && tasks.work() instanceof Work.Scattering
            && reply instanceof TaskFailed failed
        ? new TaskDone(failed.task(), new TaskFigures(0, 0, 0, 0, 0, 0, 0), List.of())
        : reply;
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, ClusterShape::of);
  }
}
