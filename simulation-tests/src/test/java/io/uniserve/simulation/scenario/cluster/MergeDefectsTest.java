package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.ONE_VERSION;
import static io.uniserve.kernel.Invariant.PROGRESS;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Half;
import io.uniserve.runtime.wire.ReplicationMessage.Unite;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorsMerged;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of merges is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class MergeDefectsTest {

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a merged actor is made of one half alone",
            EnumSet.of(
                EXACT_ANSWER,
                SAME_ORDER_ON_COPIES,
                ACKNOWLEDGED_SURVIVES,
                READ_AFTER_ACKNOWLEDGEMENT),
            OneAlone::new));
  }

  static Stream<Defect> defectsOfLateNews() {
    return Stream.of(
        new Defect(
            "the primaries of two actors that are merged go on",
            EnumSet.of(ONE_PRIMARY, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            NoPromise::new));
  }

  static Stream<Defect> defectsOfTransactions() {
    return Stream.of(
        new Defect(
            "a merged actor of a table of transactions is made of one half alone",
            EnumSet.of(
                ATOMIC_UPDATES,
                ONE_VERSION,
                SAME_ORDER_ON_COPIES,
                ACKNOWLEDGED_SURVIVES,
                READ_AFTER_ACKNOWLEDGEMENT),
            OneAlone::new),
        new Defect(
            "a transaction that is sent again after a merge is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES, ATOMIC_UPDATES),
            AnotherTransaction::new));
  }

  static Stream<Defect> defectsOfOrder() {
    return Stream.of(
        new Defect(
            "a merged actor of an ordered table is made of one half alone",
            EnumSet.of(
                ATOMIC_UPDATES,
                SAME_ORDER_ON_COPIES,
                ACKNOWLEDGED_SURVIVES,
                READ_AFTER_ACKNOWLEDGEMENT),
            OneAlone::new),
        new Defect(
            "a merged actor forgets which ordered updates its halves had",
            EnumSet.of(TOTAL_ORDER, PROGRESS),
            WholeFromNothing::new));
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

  /** An interception that knows the actor into which two actors were merged. */
  private abstract static class Knowing extends NewRecords {
    private final Set<ActorId> made = new TreeSet<>();

    @Override
    void recorded(ControlRecord record) {
      if (record instanceof ActorsMerged merged) {
        made.add(new ActorId(merged.table(), merged.merge().into()));
      }
    }

    boolean isMade(ActorId actor) {
      return made.contains(actor);
    }
  }

  /**
   * An interception that acts as if the merged actor did not know the transactions that its
   * predecessors committed.
   */
  private static final class AnotherTransaction extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof PrepareUpdate prepare && isMade(prepare.actor())
          ? OtherKeys.of(prepare, prepare.actor().number())
          : request;
    }
  }

  /**
   * An interception that acts as if the merged actor did not know the submissions that its
   * predecessors received.
   */
  private static final class AnotherSubmission extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof SubmitUpdate submit
              && submit.portions().stream()
                  .anyMatch(portion -> isMade(new ActorId(submit.table(), portion.actor())))
          ? new SubmitUpdate(
              submit.table(),
              OtherKeys.of(submit.key(), "merged"),
              submit.function(),
              submit.portions())
          : request;
    }
  }

  /** An interception in which the first update of a merged actor names no update before it. */
  private static final class WholeFromNothing extends Knowing {
    private final Set<ActorId> begun = new TreeSet<>();

    @Override
    public Message request(String from, String to, Message request) {
      boolean first =
          request instanceof Deliver deliver
              && isMade(deliver.actor())
              && begun.add(deliver.actor());
      return first ? SplitDefectsTest.fromNothing((Deliver) request) : request;
    }
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, SplitDefectsTest::shape);
  }

  @ParameterizedTest
  @MethodSource("defectsOfLateNews")
  void someSeedNoticesOfLateNews(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, SplitDefectsTest::shapeOfLateNews);
  }

  @ParameterizedTest
  @MethodSource("defectsOfTransactions")
  void someSeedNoticesOfTransactions(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, SplitDefectsTest::shapeOfTransactions);
  }

  @ParameterizedTest
  @MethodSource("defectsOfOrder")
  void someSeedNoticesOfOrder(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, SplitDefectsTest::shapeOfOrder);
  }

  @Test
  void someSeedNoticesThatAnUpdateIsSubmittedAgainAfterAMerge() {
    DefectsTest.assertSomeSeedNotices(
        new Defect(
            "an update that is submitted again after a merge is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES, ATOMIC_UPDATES),
            AnotherSubmission::new),
        SplitDefectsTest::shapeOfLostAnswers);
  }
}
