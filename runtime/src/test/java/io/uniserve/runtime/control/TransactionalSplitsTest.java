package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.control.transactions.TransactionalFixture;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorSplit;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Splits and transactions of one table take turns. */
@Timeout(60)
class TransactionalSplitsTest extends TransactionalFixture {

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
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

    before.cancel();
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
  void transactionsOfOtherActorsDoNotWaitForASplit() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    Client after = taking("after", List.of(ACTOR.number()));
    after.assertWaits();
    taking("elsewhere", List.of(OTHER.number())).assertHasItsTurn();
    after.assertWaits();
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
    between.cancel();
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
    before.cancel();
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
          quiescence.dropped(TABLE);
          return true;
        });
    before.cancel();
    after.assertHasItsTurn();
  }

  @Test
  void aTurnThatIsNotUsedRunsOut() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    before.cancel();
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    after.assertWaits();
    limits.pass(Duration.ofSeconds(60));
    after.assertHasItsTurn();
    after.cancel();
    assertThat(advance(ACTOR)).isFalse();
    nextCall();
  }

  @Test
  void theTurnOfAClientThatFallsSilentIsOver() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    decide(
        () -> {
          quiescence.dropped(TABLE);
          return true;
        });
    Client after = taking("after");
    for (int i = 0; i < 5; i++) {
      limits.pass(Duration.ofSeconds(3));
      assertThat(keeping("before")).isTrue();
      assertThat(keeping("after")).isTrue();
      after.assertWaits();
    }
    limits.pass(Duration.ofSeconds(3));
    assertThat(keeping("after")).isTrue();
    limits.pass(Duration.ofSeconds(1));
    after.assertHasItsTurn();
    assertThat(keeping("before")).isFalse();
    assertThat(keeping("after")).isTrue();
  }

  @Test
  void noTurnLastsForEver() throws Exception {
    Client before = taking("before");
    before.assertHasItsTurn();
    for (int i = 0; i < 30; i++) {
      assertThat(keeping("before")).isTrue();
      limits.pass(Duration.ofSeconds(2));
    }
    assertThat(keeping("before")).isFalse();
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
    Commitment decided = committed(client, "after", new Vote(OTHER.number(), 1, 0));
    assertThat(decided.timeMillis()).isEqualTo(later);
  }

  @Test
  void whoVotedBeforeASplitHasNotVoted() throws Exception {
    Client client = taking("before");
    client.assertHasItsTurn();
    Partitioner.Refined refined =
        partitioner().cut(0, new PartitionChange.Where.Bit(partitioner().nextBit(0)), 1);
    PartitionChange.Cut cut = (PartitionChange.Cut) refined.changes().getLast();
    record(new ActorSplit(ACTOR, cut, 2, 9, List.of("s1")));
    assertThat(refused(client, "before", new Vote(ACTOR.number(), 1, 0)))
        .isEqualTo(ErrorCode.ABORTED);
  }
}
