package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.control.transactions.TransactionalFixture;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorsMerged;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.TransactionCommitted;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Merges and transactions of one table take turns. */
@Timeout(60)
class TransactionalMergesTest extends TransactionalFixture {
  private static final ActorId MADE = new ActorId(TABLE, 2);

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Range(List.of(PartitionKey.of("m")));
  }

  @BeforeEach
  void ask() {
    decide(() -> merges.request(new MergeActor("t", ACTOR.number(), Optional.empty())));
  }

  private static void standStill(Transport.ReplyObserver stop) {
    stop.replied(new Stopped(new Position(1, 1), 1, Optional.empty()));
    stop.completed();
  }

  private void merged(long timeMillis) {
    Partitioner.Refined refined = partitioner().merge(ACTOR.number(), OTHER.number(), timeMillis);
    PartitionChange.Merge merge = (PartitionChange.Merge) refined.changes().getLast();
    record(new ActorsMerged(TABLE, merge, 20, List.of("s1"), "the test"));
  }

  @Test
  void aMergeKeepsTransactionsFromBeginningUntilBothPrimariesStandStill() throws Exception {
    bringTogether();
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    assertThat(reconciled).isEmpty();

    before.cancel();
    assertThat(nextReconciled()).as("its turn has come").isEqualTo(ACTOR);
    after.assertWaits();
    assertThat(advance(ACTOR)).isFalse();
    Transport.ReplyObserver one = nextCall();
    Transport.ReplyObserver other = nextCall();
    standStill(one);
    after.assertWaits();
    standStill(other);
    after.assertHasItsTurn();
  }

  @Test
  void transactionsGoOnWhileCopiesAreBroughtTogether() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    assertThat(nextReconciled()).as("its copy is to move").isEqualTo(OTHER);
    Client meanwhile = taking("meanwhile");
    meanwhile.assertHasItsTurn();
    meanwhile.cancel();
    bringTogether();
    assertThat(advance(ACTOR)).isFalse();
    nextCall();
    taking("after").assertWaits();
  }

  @Test
  void aMergeWhoseCopiesComeApartGivesItsPlaceUp() throws Exception {
    bringTogether();
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    record(new CopyAdded(OTHER, "s2", "the test"), new CopyReady(OTHER, "s2"));
    assertThat(advance(ACTOR)).isFalse();
    before.cancel();
    after.assertHasItsTurn();
  }

  @Test
  void aMergeOfWhatHasNoPrimaryGivesItsPlaceUp() throws Exception {
    bringTogether();
    Client before = taking("before");
    before.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    record(new ServerFailed("s1", 1, "the test"));
    assertNothingBegins(ACTOR);
    before.cancel();
    after.assertHasItsTurn();
  }

  @Test
  void anAttemptThatFailsGivesItsTurnBack() throws Exception {
    bringTogether();
    assertThat(advance(ACTOR)).isFalse();
    Transport.ReplyObserver one = nextCall();
    Transport.ReplyObserver other = nextCall();
    Client after = taking("after");
    standStill(one);
    after.assertWaits();
    other.failed(noRoom(1));
    after.assertHasItsTurn();
  }

  @Test
  void aMergeThatMayNotBeginDoesNotWaitForATurn() throws Exception {
    bringTogether();
    assertThat(advance(ACTOR)).isFalse();
    failCall(noRoom(1));
    failCall(noRoom(1));
    nextReconciled();
    Client between = taking("between");
    between.assertHasItsTurn();
    assertNothingBegins(ACTOR);
    Client after = taking("after");
    between.cancel();
    after.assertHasItsTurn();
  }

  /** The turn comes at once. To look again at once would go on for ever. */
  @Test
  void aMergeDuringAnElectionLooksAgainLater() throws Exception {
    bringTogether();
    assertThat(decide(() -> elections.begin(OTHER))).isTrue();
    assertNothingBegins(ACTOR);
    taking("meanwhile").assertHasItsTurn();
    assertThat(reconciled).isEmpty();
  }

  @Test
  void whoVotedBeforeAMergeHasNotVoted() throws Exception {
    Client client = taking("before");
    client.assertHasItsTurn();
    bringTogether();
    merged(1);
    assertThat(refused(client, "before", new Vote(ACTOR.number(), 1, 0)))
        .isEqualTo(ErrorCode.ABORTED);
    assertThat(refused(client, "before", new Vote(OTHER.number(), 2, 0)))
        .isEqualTo(ErrorCode.ABORTED);
  }

  @Test
  void aDecisionOfBeforeIsToldAgainAfterAMerge() throws Exception {
    Client client = taking("before");
    client.assertHasItsTurn();
    Vote vote = new Vote(ACTOR.number(), 1, 0);
    Commitment decided = committed(client, "before", vote);
    bringTogether();
    merged(1);
    assertThat(committed(client, "before", vote)).isEqualTo(decided);
    assertThat(decide(() -> decisions.state().actor(MADE).orElseThrow().committed()))
        .isEqualTo(decided);
  }

  @Test
  void whatIsDecidedAfterAMergeIsNotBeforeItInTime() throws Exception {
    long later = clock.now().toEpochMilli() + 60_000;
    bringTogether();
    merged(later);
    Client client = taking("after");
    client.assertHasItsTurn();
    assertThat(committed(client, "after", new Vote(MADE.number(), 20, 0)).timeMillis())
        .isEqualTo(later);
  }

  @Test
  void aMergeIsNotBeforeWhatWasDecidedBeforeItInTime() {
    long later = clock.now().toEpochMilli() + 60_000;
    record(new TransactionCommitted(TABLE, "before", later, List.of(ACTOR.number())));
    TableState table = decide(() -> decisions.state().tables().get(TABLE));
    assertThat(SplitAttempt.time(environment, table, 1)).isEqualTo(later);
    assertThat(SplitAttempt.time(environment, table, later + 1)).isEqualTo(later + 1);
  }
}
