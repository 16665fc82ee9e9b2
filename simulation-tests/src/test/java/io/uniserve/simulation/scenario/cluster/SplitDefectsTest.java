package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.ONE_VERSION;
import static io.uniserve.kernel.Invariant.PROGRESS;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.ReplicationMessage.Stop;
import io.uniserve.runtime.wire.TransactionMessage.Outcome;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorSplit;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.Task;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.DefectsTest.Defect;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Placing;
import io.uniserve.simulation.scenario.cluster.work.Work;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when one safety step of splits is taken out. */
@Execution(ExecutionMode.CONCURRENT)
class SplitDefectsTest {

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an actor takes updates of keys that it has lost by a split",
            EnumSet.of(EXACT_ANSWER, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            AnyUpdate::new),
        new Defect(
            "an actor answers queries that were planned before its keys changed",
            EnumSet.of(EXACT_ANSWER, READ_AFTER_ACKNOWLEDGEMENT),
            AnyQuery::new),
        new Defect(
            "an actor takes part in plans that were made before its keys changed",
            EnumSet.of(EXACT_ANSWER, READ_AFTER_ACKNOWLEDGEMENT),
            AnyTask::new),
        new Defect(
            "the copies of a split actor keep other keys than cluster state says",
            EnumSet.of(EXACT_ANSWER, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, PROGRESS),
            CutElsewhere::new),
        new Defect(
            "an update that is sent again after a split is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            AnotherKey::new));
  }

  static Stream<Defect> defectsOfTransactions() {
    return Stream.of(
        new Defect(
            "an actor prepares a transaction that was grouped before its keys changed",
            EnumSet.of(
                EXACT_ANSWER, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, ATOMIC_UPDATES),
            AnyPrepare::new),
        new Defect(
            "a transaction that is sent again after a split is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES, ATOMIC_UPDATES),
            AnotherTransaction::new),
        new Defect(
            "a snapshot is read of actors whose keys have changed since it was planned",
            EnumSet.of(EXACT_ANSWER, READ_AFTER_ACKNOWLEDGEMENT, ONE_VERSION),
            AnyQuery::new),
        new Defect(
            "a primary that is being split is told that a committed transaction was aborted",
            EnumSet.of(ATOMIC_UPDATES, ACKNOWLEDGED_SURVIVES, ONE_VERSION, PROGRESS),
            NeverCommitted::new));
  }

  static Stream<Defect> defectsOfOrder() {
    return Stream.of(
        new Defect(
            "an update is ordered that was grouped before its actors' keys changed",
            EnumSet.of(
                EXACT_ANSWER, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, ATOMIC_UPDATES),
            AnySubmission::new),
        new Defect(
            "the new part of a split actor forgets which ordered updates it had",
            EnumSet.of(TOTAL_ORDER, PROGRESS),
            PartFromNothing::new));
  }

  /** An interception that knows of every split of which any process was told. */
  private abstract static class Knowing extends NewRecords {
    private final Map<ActorId, Integer> generations = new TreeMap<>();

    @Override
    void recorded(ControlRecord record) {
      if (record instanceof ActorSplit split) {
        generations.merge(split.actor(), 1, Integer::sum);
        generations.put(new ActorId(split.actor().table(), split.cut().into()), 1);
      }
    }

    int newest(ActorId actor, int told) {
      return Math.max(told, generations.getOrDefault(actor, 0));
    }
  }

  private static final class AnyUpdate extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Update update
          ? new Update(
              update.actor(),
              newest(update.actor(), update.generation()),
              update.key(),
              update.function(),
              update.records(),
              update.allCopies())
          : request;
    }
  }

  private static final class AnyQuery extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Retrieve retrieve ? newest(retrieve) : request;
    }

    private Retrieve newest(Retrieve retrieve) {
      List<Integer> generations = new ArrayList<>();
      for (int i = 0; i < retrieve.actors().size(); i++) {
        ActorId actor = new ActorId(retrieve.table(), retrieve.actors().get(i));
        generations.add(newest(actor, retrieve.generation(i)));
      }
      return new Retrieve(
          retrieve.table(),
          retrieve.actors(),
          generations,
          retrieve.operator(),
          retrieve.brief(),
          retrieve.point());
    }
  }

  private static final class AnyTask extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof RunTasks tasks
          ? new RunTasks(
              tasks.run(),
              tasks.stage(),
              tasks.work(),
              tasks.tasks().stream()
                  .map(task -> new Task(task.number(), task.attempt(), newest(task.input())))
                  .toList())
          : request;
    }

    private Input newest(Input input) {
      return switch (input) {
        case Input.OfActor of -> newest(of);
        case Input.OfOutput of -> of;
        case Input.OfChunks of ->
            new Input.OfChunks(of.part(), of.anchor().map(this::newest), of.from());
      };
    }

    private Input.OfActor newest(Input.OfActor of) {
      return new Input.OfActor(of.actor(), newest(of.actor(), of.generation()), of.point());
    }
  }

  private static final class CutElsewhere implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Fork fork
          ? new Fork(
              fork.actor(),
              fork.copy(),
              fork.epoch(),
              fork.at(),
              moved(fork),
              fork.into(),
              fork.birth())
          : request;
    }

    private static Partitioner moved(Fork fork) {
      Partitioner.Refined told = (Partitioner.Refined) fork.partitioner();
      PartitionChange.Cut last = (PartitionChange.Cut) told.changes().getLast();
      Partitioner before = told.first(told.changes().size() - 1);
      return before.cut(last.actor(), new PartitionChange.Where.Bit(20), last.timeMillis());
    }
  }

  /** An interception that acts as if a part did not know the updates that the whole had applied. */
  private static final class AnotherKey implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof Update update && update.generation() > 0
          ? new Update(
              update.actor(),
              update.generation(),
              OtherKeys.of(update.key(), update.generation()),
              update.function(),
              update.records(),
              update.allCopies())
          : request;
    }
  }

  private static final class AnyPrepare extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof PrepareUpdate prepare
          ? PrepareUpdate.of(
              prepare.actor(),
              newest(prepare.actor(), prepare.generation()),
              prepare.transaction(),
              prepare.members())
          : request;
    }
  }

  private static final class AnotherTransaction implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof PrepareUpdate prepare && prepare.generation() > 0
          ? OtherKeys.of(prepare, prepare.generation())
          : request;
    }
  }

  private static final class AnySubmission extends Knowing {
    @Override
    public Message request(String from, String to, Message request) {
      return request instanceof SubmitUpdate submit
          ? new SubmitUpdate(
              submit.table(),
              submit.key(),
              submit.function(),
              submit.portions().stream().map(portion -> newest(submit.table(), portion)).toList())
          : request;
    }

    private Portion newest(long table, Portion portion) {
      ActorId actor = new ActorId(table, portion.actor());
      return new Portion(portion.actor(), newest(actor, portion.generation()), portion.records());
    }
  }

  /**
   * An interception that acts as if the parts did not know the submissions that the whole had
   * received.
   */
  private static final class AnotherSubmission implements Interception {
    @Override
    public Message request(String from, String to, Message request) {
      if (!(request instanceof SubmitUpdate submit)) {
        return request;
      }
      int splits = submit.portions().stream().mapToInt(Portion::generation).sum();
      return splits == 0
          ? request
          : new SubmitUpdate(
              submit.table(),
              OtherKeys.of(submit.key(), splits),
              submit.function(),
              submit.portions());
    }
  }

  /** An interception in which the first update of a part names no update before it. */
  private static final class PartFromNothing implements Interception {
    private final Set<ActorId> begun = new HashSet<>();

    @Override
    public Message request(String from, String to, Message request) {
      boolean first =
          request instanceof Deliver deliver
              && deliver.generation() > 0
              && begun.add(deliver.actor());
      return first ? fromNothing((Deliver) request) : request;
    }
  }

  static Deliver fromNothing(Deliver deliver) {
    List<Delivery> updates = new ArrayList<>(deliver.updates());
    Delivery next = updates.getFirst();
    OrderPlace place = new OrderPlace(next.place().number(), 0, next.place().actors());
    updates.set(
        0, new Delivery(place, 0, next.timeMillis(), next.key(), next.function(), next.records()));
    return new Deliver(deliver.actor(), deliver.generation(), updates, deliver.marks());
  }

  /** An interception that answers that transactions were aborted once a split has begun. */
  private static final class NeverCommitted implements Interception {
    private long stopped;

    @Override
    public Message request(String from, String to, Message request) {
      stopped += request instanceof Stop ? 1 : 0;
      return request;
    }

    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return stopped > 0 && reply instanceof Outcome
          ? new Outcome(Outcome.Fate.ABORTED, Commitment.NONE)
          : reply;
    }
  }

  static ClusterShape shape(Seed seed) {
    return ofLevel(Consistency.EVENTUAL);
  }

  static ClusterShape shapeOfTransactions(Seed seed) {
    return ofLevel(Consistency.SNAPSHOT);
  }

  static ClusterShape shapeOfOrder(Seed seed) {
    return ofLevel(Consistency.ORDERED);
  }

  /** Returns a shape in which many answers are lost, also while actors are split. */
  static ClusterShape shapeOfLostAnswers(Seed seed) {
    return ofLevel(
        Consistency.ORDERED,
        List.of(FaultKind.MESSAGE_LOSS, FaultKind.ONE_WAY_CUT),
        Work.USUAL.withSplitters(2).withoutDefiners());
  }

  /** Returns a shape in which servers often hear late what was decided, for a long time. */
  static ClusterShape shapeOfLateNews(Seed seed) {
    return ofLevel(
        Consistency.EVENTUAL,
        List.of(FaultKind.ONE_WAY_CUT),
        new Work(2, 1, 0, 0, 1, 24_000, Placing.NEVER).withSplitters(3));
  }

  private static ClusterShape ofLevel(Consistency level) {
    return ofLevel(
        level,
        List.of(FaultKind.PARTITION, FaultKind.ONE_WAY_CUT, FaultKind.MESSAGE_LOSS),
        Work.USUAL.withSplitters(1).withoutDefiners());
  }

  private static ClusterShape ofLevel(Consistency level, List<FaultKind> faults, Work work) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(2),
            2,
            Durability.NONE,
            level,
            Map.of());
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000, work);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    DefectsTest.assertSomeSeedNotices(defect, SplitDefectsTest::shape);
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
  void someSeedNoticesThatAnUpdateIsSubmittedAgainAfterASplit() {
    DefectsTest.assertSomeSeedNotices(
        new Defect(
            "an update that is submitted again after a split is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES, ATOMIC_UPDATES),
            AnotherSubmission::new),
        SplitDefectsTest::shapeOfLostAnswers);
  }
}
