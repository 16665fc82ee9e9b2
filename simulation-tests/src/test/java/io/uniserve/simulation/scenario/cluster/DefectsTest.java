package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.COMPLETE_COPIES_ARE_LED;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.ReplicationMessage.Entries;
import io.uniserve.runtime.wire.ReplicationMessage.Follow;
import io.uniserve.runtime.wire.ReplicationMessage.Reload;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.TransactionMessage.AskOutcome;
import io.uniserve.runtime.wire.TransactionMessage.Outcome;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that some seed notices when one safety step is taken out. The step is taken out between the
 * processes, so the code under test is the production code.
 */
@Execution(ExecutionMode.CONCURRENT)
class DefectsTest {
  private static final long FAR = 1_000_000;

  record Defect(String name, Set<Invariant> noticedAs, Supplier<Interception> interception) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** An interception that changes answers. */
  @FunctionalInterface
  interface Answer extends Interception {
    Message changed(Message request, Message reply);

    @Override
    default Message reply(String from, String to, Message request, Message reply) {
      return changed(request, reply);
    }
  }

  /** An interception that changes requests. */
  @FunctionalInterface
  interface Request extends Interception {
    Message changed(Message request);

    @Override
    default Message request(String from, String to, Message request) {
      return changed(request);
    }
  }

  /** Returns the defects of two-phase commit. */
  static Stream<Defect> defectsOfTransactions() {
    return Stream.of(
        new Defect(
            "a participant that asks is told to abort, whatever was decided or may still be",
            EnumSet.of(ATOMIC_UPDATES),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Outcome
                            ? new Outcome(Outcome.Fate.ABORTED, Commitment.NONE)
                            : reply),
        new Defect(
            "a participant commits before there is a decision",
            EnumSet.of(ATOMIC_UPDATES),
            () ->
                (Answer)
                    (request, reply) ->
                        request instanceof AskOutcome ask && reply instanceof Outcome
                            ? new Outcome(
                                Outcome.Fate.COMMITTED, new Commitment(ask.transaction(), 1, 0))
                            : reply),
        new Defect(
            "a transaction that is tried again is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            () -> new Renumbered<>(PrepareUpdate.class, OtherKeys::of)),
        new Defect(
            "an update of one actor that is sent again is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            () -> new Renumbered<>(Update.class, DefectsTest::again)),
        new Defect(
            "a primary keeps its lease after it was given up, and votes",
            EnumSet.of(ONE_PRIMARY),
            () -> (Answer) (request, reply) -> kept(reply)),
        new Defect(
            "a copy that waits for a primary is taken for complete, whatever it has not prepared",
            EnumSet.of(ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, ATOMIC_UPDATES),
            () -> (Request) DefectsTest::overstated));
  }

  /** Returns a lease so long that its holder never gives it up. */
  private static Message kept(Message reply) {
    return reply instanceof Lease ? new Lease(Duration.ofHours(1)) : reply;
  }

  /** Requests of one kind, each changed by the number of requests before it. */
  private static final class Renumbered<M extends Message> implements Request {
    private final Class<M> kind;
    private final BiFunction<M, Long, M> change;
    private long before;

    Renumbered(Class<M> kind, BiFunction<M, Long, M> change) {
      this.kind = kind;
      this.change = change;
    }

    @Override
    public Message changed(Message request) {
      return kind.isInstance(request) ? change.apply(kind.cast(request), before++) : request;
    }
  }

  private static Update again(Update update, long number) {
    return new Update(
        update.actor(),
        OtherKeys.of(update.key(), number),
        update.function(),
        update.records(),
        update.allCopies());
  }

  /** Returns a report that claims the whole content for a copy that merely exists. */
  static Message overstated(Message request) {
    return request instanceof CopyReport report && report.outcome() == CopyReport.Outcome.HOLDING
        ? new CopyReport(
            report.actor(),
            report.copy(),
            report.incarnation(),
            report.epoch(),
            CopyReport.Outcome.READY,
            report.detail())
        : request;
  }

  static Sealed upsideDown(Sealed sealed) {
    Position at = sealed.position();
    return new Sealed(sealed.held(), new Position(FAR - at.epoch(), FAR - at.sequence()));
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a primary keeps its lease after it was given up",
            EnumSet.of(ONE_PRIMARY),
            () -> (Answer) (request, reply) -> kept(reply)),
        new Defect(
            "an election takes the copy that is furthest behind",
            EnumSet.of(ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Sealed sealed ? upsideDown(sealed) : reply),
        new Defect(
            "a copy with updates that were lost is not told to load anew",
            EnumSet.of(SAME_ORDER_ON_COPIES, READ_AFTER_ACKNOWLEDGEMENT, ACKNOWLEDGED_SURVIVES),
            () ->
                (Answer)
                    (request, reply) ->
                        request instanceof Follow follow && reply instanceof Reload
                            ? new Entries(List.of(), follow.after())
                            : reply),
        new Defect(
            "an update that is sent again is taken for another",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            () -> new Renumbered<>(Update.class, DefectsTest::again)),
        new Defect(
            "an update that is sent again is answered anew",
            EnumSet.of(EXACT_ANSWER),
            AnswersAnew::new),
        new Defect(
            "keys are forgotten early",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            () -> new Renumbered<>(Update.class, (update, number) -> again(update, number / 20))),
        new Defect(
            "one server never votes in elections of primaries",
            EnumSet.of(COMPLETE_COPIES_ARE_LED),
            Voteless::new),
        new Defect(
            "a client takes the first part of an actor's answer for all of it",
            EnumSet.of(EXACT_ANSWER),
            () ->
                (Answer)
                    (request, reply) ->
                        reply instanceof Retrieved some
                            ? new Retrieved(some.actor(), some.values(), true)
                            : reply));
  }

  /** An interception that hides the votes of one server. */
  private static final class Voteless implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return from.equals("server-0") && reply instanceof Sealed ? new Noted() : reply;
    }
  }

  /** Returns a cluster with three copies, and the faults that depose primaries. */
  private static ClusterShape shape(Consistency level) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            3,
            Durability.NONE,
            level,
            Map.of());
    List<FaultKind> faults =
        List.of(FaultKind.CRASH, FaultKind.PARTITION, FaultKind.ONE_WAY_CUT, FaultKind.PAUSE);
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    assertSomeSeedNotices(defect, seed -> shape(Consistency.EVENTUAL));
  }

  @ParameterizedTest
  @MethodSource("defectsOfTransactions")
  void someSeedNoticesOfTransactions(Defect defect) {
    assertSomeSeedNotices(defect, seed -> shape(Consistency.SERIALIZABLE));
  }

  static void assertSomeSeedNotices(Defect defect, Function<Seed, ClusterShape> shapes) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        defect.noticedAs(),
        () -> new ClusterScenario(defect.name(), defect.interception().get(), shapes));
  }
}
