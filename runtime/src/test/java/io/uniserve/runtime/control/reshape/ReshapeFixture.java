package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.log.AgreeingQuorum;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.LogOperation;
import io.uniserve.runtime.control.log.ReplicatedState;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.transactions.OrderHolds;
import io.uniserve.runtime.control.transactions.Turns;
import io.uniserve.runtime.control.transactions.UpdateSequencer;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRemoved;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeGivenUp;
import io.uniserve.runtime.wire.cluster.ControlRecord.PrimaryChanged;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import io.uniserve.runtime.wire.entry.Engines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two actors, each with a copy on a server of its own. The clock stands still, the servers answer
 * as the test says, and decisions are committed at once.
 */
public abstract class ReshapeFixture {
  public static final ActorId ACTOR = new ActorId(1, 0);
  public static final ActorId OTHER = new ActorId(1, 1);
  public static final Duration PAUSE = Duration.ofSeconds(1);
  static final Duration LONG = Duration.ofSeconds(30);
  public static final Duration MOMENT = Duration.ofNanos(1);

  public final StillClock clock = new StillClock();

  /** The first request of each attempt, which waits for its answer. */
  final BlockingQueue<Transport.ReplyObserver> attempts = new LinkedBlockingQueue<>();

  /** The actors that are to be looked at again, as after an attempt that has ended. */
  public final BlockingQueue<ActorId> reconciled = new LinkedBlockingQueue<>();

  /** True if the code that asks servers fails. */
  volatile boolean broken;

  private final BlockingQueue<ControlRecord> givenUp = new LinkedBlockingQueue<>();
  public Environment environment;
  public Decisions decisions;
  public Elections elections;
  public Turns transactionTurns;
  public UpdateSequencer sequencer;
  public WriteQuiescence quiescence;
  public Splits splits;
  public Merges merges;
  Redefinitions redefinitions;

  private final class Servers implements Transport {
    @Override
    public Registration listen(Address self, Handler handler) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      if (broken) {
        throw new IllegalStateException("a defect");
      }
      attempts.add(replies);
      return () -> {};
    }
  }

  private void note(LogOperation committed) {
    ((LogOperation.Batch) committed)
        .decisions().stream()
            .flatMap(decision -> decision.records().stream())
            .filter(record -> record instanceof SplitGivenUp || record instanceof MergeGivenUp)
            .forEach(givenUp::add);
  }

  public abstract Partitioner partitioner();

  /** Returns the level of the table. */
  public Consistency level() {
    return Consistency.EVENTUAL;
  }

  /** Returns the clock by which turns run out. */
  public Clock turnClock() {
    return clock;
  }

  /** Makes the parts as the coordinator does. */
  private void make(Engines engines) {
    ReshapeTurns turns = new ReshapeTurns(clock);
    OrderHolds holds = new OrderHolds(decisions, clock);
    ControllerSettings settings = ControllerSettings.DEFAULT;
    elections = new Elections(environment, decisions, settings, id -> {});
    transactionTurns = new Turns(decisions, turnClock());
    sequencer = new UpdateSequencer(environment, decisions, engines, holds);
    ControlContext control =
        new ControlContext(environment, decisions, settings, engines, reconciled::add);
    quiescence = new WriteQuiescence(control, turns, transactionTurns, holds);
    redefinitions = new Redefinitions(control, turns);
    splits = new Splits(control, elections, turns, quiescence);
    merges = new Merges(control, elections, turns, quiescence);
  }

  @BeforeEach
  final void begin(@TempDir Path directory) throws Exception {
    environment = ProcessFixture.environment(clock, directory, new Servers());
    decisions =
        new Decisions(environment, new AgreeingQuorum(this::note), new ReplicatedState(), 1);
    make(new Engines(List.of(new StillEngine(true))));
    decisions.start();
    TableDefinition table =
        new TableDefinition(
            "t", StillEngine.NAME, partitioner(), 1, Durability.NONE, level(), Map.of());
    record(
        new ServerJoined("s1", new Address("s1"), 1),
        new ServerJoined("s2", new Address("s2"), 1),
        new ControlRecord.TableCreated(1, table, List.of(List.of("s1"), List.of("s2"))),
        new CopyReady(ACTOR, "s1"),
        new CopyReady(OTHER, "s2"));
  }

  @AfterEach
  final void end() {
    decisions.stop();
    decisions.awaitEnd();
  }

  /** Runs a decision on the deciding thread. */
  public final <T> T decide(Supplier<T> decision) {
    CompletableFuture<T> done = new CompletableFuture<>();
    decisions.submit(
        () -> {
          try {
            done.complete(decision.get());
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done.join();
  }

  public final void record(ControlRecord... records) {
    decide(
        () -> {
          decisions.record(List.of(records));
          return true;
        });
  }

  /** Gives both actors the same single server, which leads them. */
  public final void bringTogether() {
    record(
        new CopyAdded(OTHER, "s1", "the test"),
        new CopyReady(OTHER, "s1"),
        new PrimaryChanged(OTHER, 2, "s1", "the test"),
        new CopyRemoved(OTHER, "s2", "the test"));
  }

  /** Takes an actor a step further; returns true if there is nothing to do for it any more. */
  public final boolean advance(ActorId id) {
    return decide(() -> splits.advance(id) & merges.advance(id));
  }

  /** Fails the attempt's first request. */
  public final void failCall(UniserveException why) throws InterruptedException {
    nextCall().failed(why);
  }

  public final Transport.ReplyObserver nextCall() throws InterruptedException {
    Transport.ReplyObserver call = attempts.poll(20, TimeUnit.SECONDS);
    assertThat(call).as("an attempt was made").isNotNull();
    return call;
  }

  public final ActorId nextReconciled() throws InterruptedException {
    return reconciled.poll(20, TimeUnit.SECONDS);
  }

  public static UniserveException noRoom(int attempt) {
    return new UniserveException(ErrorCode.UNAVAILABLE, "no room, attempt " + attempt);
  }

  /** Asserts that no attempt begins; one would have recorded its request again. */
  public final void assertNothingBegins(ActorId id) {
    long version = decide(() -> decisions.state().version());
    assertThat(advance(id)).isFalse();
    assertThat(decide(() -> decisions.state().version())).isEqualTo(version);
  }

  /** Asserts that an attempt is given up. The record is committed after the decision. */
  public final void assertGivenUp(ControlRecord record) throws InterruptedException {
    assertThat(advance(ACTOR)).isTrue();
    assertThat(givenUp.poll(20, TimeUnit.SECONDS)).isEqualTo(record);
    assertThat(givenUp).isEmpty();
  }

  public final void assertNotGivenUp() {
    assertThat(givenUp).isEmpty();
  }
}
