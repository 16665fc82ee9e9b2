package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.PROGRESS;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.BeginRedefinition;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.simulation.model.Marks;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.TakeMarks;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of a table's change of schema is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class RedefinitionDefectsTest {

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an actor is not told the new schema of its table",
            EnumSet.of(READ_AFTER_ACKNOWLEDGEMENT, PROGRESS),
            NeverTold::new),
        new Defect(
            "cluster state has a table's new schema before its actors have it",
            EnumSet.of(READ_AFTER_ACKNOWLEDGEMENT),
            SaidTooEarly::new),
        new Defect(
            "a change of a schema overwrites what another change added meanwhile",
            EnumSet.of(ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, PROGRESS),
            Overwritten::new));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, ClusterShape::of);
  }

  /** An interception that tells an actor only the schema that it already has. */
  private static final class NeverTold implements Interception {
    private static final Marks NONE = new Marks(0, List.of());

    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Update update
              && update.function().value(ClusterPrograms.UNOBSERVED) instanceof TakeMarks
          ? new Update(
              update.actor(),
              update.key(),
              Payload.of(ModelEngine.NAME, new TakeMarks(NONE)),
              update.records(),
              update.allCopies())
          : request;
    }
  }

  /** An interception that changes the request with which a client begins a redefinition. */
  private interface Begins extends Interception {
    BeginRedefinition changed(BeginRedefinition begin);

    @Override
    default Message request(String from, String to, Message request) {
      return request instanceof Submit submit && submit.request() instanceof BeginRedefinition begin
          ? new Submit(submit.sender(), submit.sequence(), submit.answeredBelow(), changed(begin))
          : request;
    }
  }

  private static final class SaidTooEarly implements Begins {
    @Override
    public BeginRedefinition changed(BeginRedefinition begin) {
      return new BeginRedefinition(begin.table(), begin.after(), begin.next(), begin.next());
    }
  }

  /** An interception that makes a change of a table overwrite all marks but the last. */
  private static final class Overwritten implements Begins {
    @Override
    public BeginRedefinition changed(BeginRedefinition begin) {
      Marks next = Marks.of(begin.next());
      List<Long> last = next.ids().subList(Math.max(0, next.ids().size() - 1), next.ids().size());
      return new BeginRedefinition(
          begin.table(),
          begin.after(),
          begin.meanwhile(),
          new Marks(next.revision(), last).on(begin.next()));
    }
  }
}
