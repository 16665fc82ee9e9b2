package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionChange;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.TransactionMessage.Decide;
import io.uniserve.runtime.wire.TransactionMessage.Decided;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorSplit;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Splits and transactions of one table take turns. */
@Timeout(60)
class TransactionalSplitsTest extends ReshapeFixture {
  private static final long TABLE = ACTOR.table();

  /** The same clock, whose timers a test lets run out. */
  private final class Limits implements Clock {
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
      return clock.nanos();
    }

    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    @Override
    public void sleep(Duration duration) {
      clock.sleep(duration);
    }

    private void runOut() {
      tasks.forEach(Runnable::run);
    }
  }

  private final Limits limits = new Limits();
  private Decisions decisions;
  private Splits splits;
  private Transactions transactions;

  @Override
  void make(Environment environment, Decisions made, Engines engines, Elections elections) {
    decisions = made;
    Turns turns = new Turns(decisions, limits);
    transactions = new Transactions(decisions, clock, turns);
    splits =
        new Splits(
            environment,
            decisions,
            RouterSettings.DEFAULT,
            engines,
            elections,
            new ReshapeTurns(clock),
            turns,
            new OrderHolds(decisions, clock),
            reconciled::add);
  }

  @Override
  Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  @Override
  Consistency level() {
    return Consistency.SERIALIZABLE;
  }

  @Override
  boolean step(ActorId id) {
    return splits.advance(id);
  }

  /** What a client hears. */
  private final class Client implements Transport.Incoming {
    private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
    private Runnable whenCancelled = () -> {};

    @Override
    public Deadline deadline() {
      return Deadline.after(clock, Deadline.LONGEST);
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public void onCancel(Runnable task) {
      whenCancelled = task;
    }

    @Override
    public void reply(Message message) {
      heard.add(message);
    }

    @Override
    public void complete() {}

    @Override
    public void fail(UniserveException failure) {
      throw failure;
    }

    private void assertHasItsTurn() throws InterruptedException {
      assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(new TurnTaken());
    }

    private void assertWaits() {
      decide(() -> true);
      assertThat(heard).isEmpty();
    }
  }

  private Client taking(String transaction) {
    Client client = new Client();
    decide(
        () -> {
          transactions.handle(new TakeTurn(TABLE, transaction), client);
          return true;
        });
    return client;
  }

  @BeforeEach
  void ask() {
    decide(() -> splits.request(new SplitActor("t", ACTOR.number(), Optional.empty())));
  }

  @Test
  void aSplitWaitsForTheTransactionBeforeItAndKeepsTheNextFromBeginning() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    assertThat(reconciled).isEmpty();

    before.whenCancelled.run();
    assertThat(nextReconciled()).as("its turn has come").isEqualTo(ACTOR);
    after.assertWaits();
    assertThat(advance(ACTOR)).isFalse();
    Transport.ReplyObserver stop = nextCall();
    after.assertWaits();

    stop.replied(new Stopped(new Position(1, 1), 1, Optional.empty()));
    stop.completed();
    after.assertHasItsTurn();
  }

  @Test
  void anAttemptThatFailsGivesItsTurnBack() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    Client after = taking("after");
    after.assertWaits();
    failCall(noRoom(1));
    after.assertHasItsTurn();
  }

  @Test
  void aSplitThatMayNotBeginDoesNotWaitForATurn() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    failCall(noRoom(1));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    Client between = taking("between");
    between.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    between.whenCancelled.run();
    after.assertHasItsTurn();
  }

  @Test
  void aSplitOfWhatHasNoPrimaryGivesItsPlaceUp() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    record(new ServerFailed("s1", 1, "the test"));
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    before.whenCancelled.run();
    after.assertHasItsTurn();
  }

  @Test
  void aSplitOfATableThatIsDroppedGivesItsPlaceUpAtOnce() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    decide(
        () -> {
          splits.dropped(TABLE);
          return true;
        });
    before.whenCancelled.run();
    after.assertHasItsTurn();
  }

  @Test
  void aTurnThatIsNotUsedRunsOut() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    before.whenCancelled.run();
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    after.assertWaits();
    limits.runOut();
    after.assertHasItsTurn();
    after.whenCancelled.run();
    assertThat(advance(ACTOR)).isFalse();
    nextCall();
  }

  @Test
  void whatIsDecidedAfterASplitIsNotBeforeItInTime() throws Exception {
    long later = clock.now().toEpochMilli() + 60_000;
    Partitioner.Refined refined =
        partitioner().cut(0, new PartitionChange.Where.Bit(partitioner().nextBit(0)), later);
    PartitionChange.Cut cut = (PartitionChange.Cut) refined.changes().getLast();
    record(new ActorSplit(ACTOR, cut, 2, 9, List.of("s1")));
    Client client = taking("after");
    client.assertHasItsTurn();
    decide(
        () -> {
          transactions.handle(
              new Decide(TABLE, "after", List.of(new Vote(OTHER.number(), 1))), client);
          return true;
        });
    Decided decided = (Decided) client.heard.poll(20, TimeUnit.SECONDS);
    assertThat(decided.commitment().timeMillis()).isEqualTo(later);
  }

  @Test
  void whoVotedBeforeASplitHasNotVoted() throws Exception {
    Client client = taking("before");
    client.assertHasItsTurn();
    Partitioner.Refined refined =
        partitioner().cut(0, new PartitionChange.Where.Bit(partitioner().nextBit(0)), 1);
    PartitionChange.Cut cut = (PartitionChange.Cut) refined.changes().getLast();
    record(new ActorSplit(ACTOR, cut, 2, 9, List.of("s1")));
    ErrorCode refused =
        decide(
            () -> {
              try {
                transactions.handle(
                    new Decide(TABLE, "before", List.of(new Vote(ACTOR.number(), 1))), client);
                return null;
              } catch (UniserveException e) {
                return e.code();
              }
            });
    assertThat(refused).isEqualTo(ErrorCode.ABORTED);
  }
}
