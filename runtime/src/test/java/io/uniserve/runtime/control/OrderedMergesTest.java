package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeGivenUp;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order of updates of two actors before, during and after a merge. */
@Timeout(60)
class OrderedMergesTest extends OrderedFixture {
  private static final ActorId MADE = new ActorId(TABLE, 2);

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Range(List.of(PartitionKey.of("m")));
  }

  @BeforeEach
  void ask() {
    decide(() -> merges.request(new MergeActor("t", ACTOR.number(), Optional.empty())));
  }

  /** Stops both primaries, up to the requests for copies. */
  private void standStill() throws InterruptedException {
    Transport.ReplyObserver one = nextCall();
    Transport.ReplyObserver other = nextCall();
    answer(one, STOPPED);
    answer(other, STOPPED);
  }

  /** Makes the copies, and lets both primaries promise. */
  private void conclude() throws InterruptedException {
    answer(nextCall(), new Forked(true));
    answer(nextCall(), new Fenced(true));
    answer(nextCall(), new Fenced(true));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
  }

  private void assertBothGoOn(String key) {
    assertOrdered(key + " of the one", ACTOR);
    assertOrdered(key + " of the other", OTHER);
  }

  private void assertBothWait(String key) {
    assertWaits(key + " of the one", ACTOR);
    assertWaits(key + " of the other", OTHER);
  }

  @Test
  void whatWasOrderedOfEitherComesToItsActorsFirstAndNothingMoreIsOrdered() throws Exception {
    bringTogether();
    for (ActorId actor : List.of(ACTOR, OTHER)) {
      assertOrdered("before " + actor, actor);
      Transport.ReplyObserver delivery = nextCall();
      assertNothingBegins(ACTOR);
      assertBothWait("after");
      assertThat(submit("before " + actor, actor)).as("the same again").isEmpty();
      quietsEnd();
      got(delivery, 1 + actor.number());
    }
    assertThat(advance(ACTOR)).isFalse();
    standStill();
    nextCall(); // requests for copies
    assertBothWait("while copies are made");
  }

  /** Ends the hold, as if the merge had been given up for a moment. */
  private void quietsEnd() {
    decide(
        () -> {
          quiescence.end(List.of(ACTOR, OTHER));
          return true;
        });
  }

  @Test
  void updatesGoOnWhileCopiesAreBroughtTogether() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    assertThat(nextReconciled()).as("its copy is to move").isEqualTo(OTHER);
    assertBothGoOn("meanwhile");
  }

  @Test
  void whatTwoBecameIsOrderedForAndTheyAreNot() throws Exception {
    bringTogether();
    assertThat(advance(ACTOR)).isFalse();
    standStill();
    conclude();
    assertThat(now().has(MADE.number())).isTrue();
    assertThat(submit("grouped before", ACTOR)).contains(ErrorCode.STALE_ROUTING);
    assertThat(submit("grouped before", OTHER)).contains(ErrorCode.STALE_ROUTING);
    generation = 1;
    assertThat(submit("of one that has ended", ACTOR)).contains(ErrorCode.STALE_ROUTING);
    assertOrdered("grouped after", MADE);
  }

  @Test
  void anAttemptThatFailsLetsUpdatesOfBothGoOn() throws Exception {
    bringTogether();
    assertThat(advance(ACTOR)).isFalse();
    assertBothWait("meanwhile");
    failCall(noRoom(1));
    failCall(noRoom(1));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertBothGoOn("then");
  }

  @Test
  void whatIsOrderedOfEitherInSpiteOfItKeepsTheMergeFromBeingTrue() throws Exception {
    bringTogether();
    assertThat(advance(ACTOR)).isFalse();
    Transport.ReplyObserver one = nextCall();
    Transport.ReplyObserver other = nextCall();
    endHold();
    assertOrdered("in between", OTHER);
    nextCall();
    answer(one, STOPPED);
    answer(other, STOPPED);
    conclude();
    assertThat(now().has(MADE.number())).as("it would have to be put together").isFalse();
  }

  @Test
  void updatesDoNotWaitLongForWhatWasBefore() throws Exception {
    bringTogether();
    assertOrdered("before", OTHER);
    nextCall();
    for (int attempt = 1; attempt <= 20; attempt++) {
      assertNotGivenUp();
      assertNothingBegins(ACTOR);
      clock.advance(HOLD);
      assertBothWait("still");
      assertThat(advance(ACTOR)).isFalse();
      clock.advance(MOMENT);
      assertBothWait("still");
      assertThat(advance(ACTOR)).isFalse();
      assertBothGoOn("in the pause " + attempt);
      clock.advance(PAUSE);
    }
    assertGivenUp(
        new MergeGivenUp(
            ACTOR,
            OTHER.number(),
            "an ordered update of one of them has not reached all of its actors yet"));
    assertBothGoOn("then");
  }

  @Test
  void updatesDoNotWaitOnceCopiesComeApart() {
    bringTogether();
    assertOrdered("before", OTHER);
    assertNothingBegins(ACTOR);
    assertBothWait("together");
    record(new CopyAdded(OTHER, "s2", "the test"), new CopyReady(OTHER, "s2"));
    assertThat(advance(ACTOR)).isFalse();
    assertBothGoOn("apart");
  }

  @Test
  void updatesDoNotWaitWhileNoAttemptCanBegin() {
    bringTogether();
    assertOrdered("before", OTHER);
    assertNothingBegins(ACTOR);
    endHold();
    assertBothGoOn("meanwhile");
  }

  @Test
  void updatesDoNotWaitForAMergeWhoseActorIsBeingElected() {
    bringTogether();
    assertThat(decide(() -> elections.begin(OTHER))).isTrue();
    assertNothingBegins(ACTOR);
    assertBothGoOn("meanwhile");
  }

  @Test
  void aTableThatIsDroppedHoldsNothing() {
    bringTogether();
    assertOrdered("before", ACTOR);
    assertNothingBegins(ACTOR);
    assertBothWait("after");
    decide(
        () -> {
          quiescence.dropped(TABLE);
          return true;
        });
    assertBothGoOn("after");
  }
}
