package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.MarkDelivery;
import io.uniserve.runtime.wire.OrderedMessage.ShortTaken;
import io.uniserve.runtime.wire.OrderedMessage.SubmitShort;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Answer;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Request;
import io.uniserve.simulation.scenario.cluster.OvertakingSession.Way;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Work;
import io.uniserve.simulation.scenario.cluster.work.Workload.SessionDefect;
import io.uniserve.simulation.search.Simulation;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one rule of the short way is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class ShortWayDefectsTest {
  private static final int SESSIONS = 3;
  private static final int MILLIS = 3_000;
  private static final int SEEDS_OF_WHOLE_SESSIONS = 12;

  /** The rules of servers and of messages. */
  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an update on the short way does not say what its session has heard of",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            () -> (Request) ShortWayDefectsTest::withoutSight),
        new Defect(
            "an update on the short way has the number of the mark that its session has heard of",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            () -> (Request) ShortWayDefectsTest::withoutMark),
        new Defect(
            "a session is not told how far the actor of an update on the short way is",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            () -> (Answer) (request, reply) -> withReach(reply, Mark.NONE)),
        new Defect(
            "a session is told the number of its actor's newest mark, and not the mark",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            () -> (Answer) ShortWayDefectsTest::withoutMark),
        new Defect(
            "an actor takes a mark after a later one",
            EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES),
            LateMarks::new));
  }

  /**
   * A rule of a session by which it waits before it goes on.
   *
   * @param overtaken the way of what it waits for
   * @param overtaking the way of what waits
   */
  record Wait(String name, Way overtaken, Way overtaking) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Wait> waits() {
    return Stream.of(
        new Wait(
            "an update on the short way overtakes one of its session that has no place yet",
            Way.PLACED,
            Way.SHORT),
        new Wait(
            "an update on the short way overtakes one of its session of another key",
            Way.SHORT,
            Way.SHORT),
        new Wait(
            "an update gets its place before one of its session on the short way is answered",
            Way.SHORT,
            Way.PLACED),
        new Wait(
            "a snapshot read of a session overtakes its update on the short way",
            Way.SHORT,
            Way.MARKED),
        new Wait(
            "an update on the short way overtakes a snapshot read of its session",
            Way.MARKED,
            Way.SHORT),
        new Wait(
            "an update gets its place before a snapshot read of its session has its mark",
            Way.MARKED,
            Way.PLACED));
  }

  private static Message withoutSight(Message request) {
    return request instanceof SubmitShort submit
        ? withSight(submit, Optional.of(Mark.NONE))
        : request;
  }

  private static Message withoutMark(Message request) {
    return request instanceof SubmitShort submit
        ? withSight(submit, submit.sight().map(sight -> Mark.ofPlace(sight.number())))
        : request;
  }

  private static SubmitShort withSight(SubmitShort submit, Optional<Mark> sight) {
    return new SubmitShort(submit.actor(), submit.generation(), sight, submit.updates());
  }

  private static Message withReach(Message reply, Mark reach) {
    return reply instanceof ShortTaken taken
        ? new ShortTaken(taken.results(), reach, taken.withheld())
        : reply;
  }

  private static Message withoutMark(Message request, Message reply) {
    return reply instanceof ShortTaken taken
        ? withReach(reply, Mark.ofPlace(taken.reach().number()))
        : reply;
  }

  /**
   * An interception that has the first actor answer reads of a mark at its newest one, as if it had
   * got the other only then.
   */
  private static final class LateMarks implements Request {
    private static final int LATE = 0;
    private Mark newest = Mark.NONE;

    @Override
    public Message changed(Message request) {
      if (request instanceof Deliver deliver && deliver.actor().number() == LATE) {
        deliver.marks().stream()
            .map(MarkDelivery::mark)
            .filter(mark -> mark.compareTo(newest) > 0)
            .forEach(mark -> newest = mark);
      }
      return request instanceof Retrieve retrieve
              && retrieve.actors().equals(List.of(LATE))
              && retrieve.point().filter(this::isFormer).isPresent()
          ? at(retrieve, newest)
          : request;
    }

    private boolean isFormer(ReadPoint point) {
      return point instanceof Mark mark && mark.compareTo(newest) < 0;
    }

    private static Retrieve at(Retrieve retrieve, Mark mark) {
      return new Retrieve(
          retrieve.table(),
          retrieve.actors(),
          retrieve.generations(),
          retrieve.operator(),
          retrieve.brief(),
          Optional.of(mark));
    }
  }

  /** Returns a cluster with three copies of four actors, and many sessions at once. */
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
    return new ClusterShape(
        3, 4_000, 4, 2, table, faults, 1_000, Work.USUAL.withSessions(SESSIONS, MILLIS));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, ShortWayDefectsTest::shape);
  }

  @ParameterizedTest
  @MethodSource("waits")
  void someSeedNoticesThatASessionDoesNotWait(Wait wait) {
    SeedSearch.assertSomeSeedNotices(
        wait.name(),
        EnumSet.of(TOTAL_ORDER, ATOMIC_UPDATES, READ_AFTER_ACKNOWLEDGEMENT),
        () -> scenario(wait));
  }

  /** Several sessions one after another, of which each waits, are as good as one. */
  @Test
  void noSeedNoticesASessionThatIsMadeOfSeveral() {
    Wait none = new Wait("a session is made of several", Way.NONE, Way.NONE);
    for (long seed = 0; seed < SEEDS_OF_WHOLE_SESSIONS; seed++) {
      Simulation.play(scenario(none), seed);
    }
  }

  private static ClusterScenario scenario(Wait wait) {
    return new ClusterScenario(
        wait.name(),
        (SessionDefect) open -> new OvertakingSession(open, wait.overtaken(), wait.overtaking()),
        ShortWayDefectsTest::shape);
  }
}
