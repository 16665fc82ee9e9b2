package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order of updates of an actor before, during and after a split. */
@Timeout(60)
class OrderedSplitsTest extends OrderedFixture {
  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  @BeforeEach
  void ask() {
    decide(() -> splits.request(new SplitActor("t", ACTOR.number(), Optional.empty())));
  }

  @Test
  void whatWasOrderedBeforeComesToItsActorsFirstAndNothingMoreIsOrdered() throws Exception {
    assertOrdered("before", ACTOR);
    Transport.ReplyObserver delivery = nextCall();
    assertNothingBegins(ACTOR);
    assertWaits("after", ACTOR);
    assertWaits("of both", ACTOR, OTHER);
    assertThat(submit("before", ACTOR)).as("the same again").isEmpty();
    assertOrdered("of the other", OTHER);
    Transport.ReplyObserver toOther = nextCall();

    got(delivery, 1);
    assertThat(advance(ACTOR)).isFalse();
    answer(nextCall(), STOPPED);
    nextCall(); // requests for a copy
    assertWaits("while copies are made", ACTOR);
    got(toOther, 2);
    assertOrdered("of the other, then", OTHER);
  }

  @Test
  void anActorThatWasSplitGoesOnWithOtherKeys() throws Exception {
    assertOrdered("before", ACTOR);
    got(nextCall(), 1);
    splitNow();
    assertThat(now().actors()).isEqualTo(3);
    assertThat(submit("grouped before", ACTOR)).contains(ErrorCode.STALE_ROUTING);
    assertOrdered("of the other", OTHER);
  }

  private void splitNow() throws InterruptedException {
    assertThat(advance(ACTOR)).isFalse();
    answer(nextCall(), STOPPED);
    answer(nextCall(), new Forked(true));
    answer(nextCall(), new Fenced(true));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
  }

  @Test
  void anAttemptThatFailsLetsUpdatesGoOn() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    assertWaits("meanwhile", ACTOR);
    failCall(noRoom(1));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertOrdered("then", ACTOR);
  }

  @Test
  void whatIsOrderedInSpiteOfItKeepsTheSplitFromBeingTrue() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    Transport.ReplyObserver stop = nextCall();
    endHold();
    assertOrdered("in between", ACTOR);
    nextCall();

    answer(stop, STOPPED);
    answer(nextCall(), new Forked(true));
    answer(nextCall(), new Fenced(true));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertThat(now().actors()).as("it would have to be divided").isEqualTo(2);
  }

  @Test
  void updatesDoNotWaitLongForWhatWasBefore() throws Exception {
    assertOrdered("before", ACTOR);
    nextCall();
    for (int attempt = 1; attempt <= 20; attempt++) {
      assertNotGivenUp();
      assertNothingBegins(ACTOR);
      clock.advance(HOLD);
      assertWaits("waits", ACTOR);
      assertThat(advance(ACTOR)).isFalse();
      clock.advance(MOMENT);
      assertWaits("waits", ACTOR);
      assertThat(advance(ACTOR)).isFalse();
      assertOrdered("in the pause " + attempt, ACTOR);
      clock.advance(PAUSE);
    }
    assertGivenUp(
        new SplitGivenUp(ACTOR, "an ordered update of it has not reached all of its actors yet"));
  }

  @Test
  void aTableThatIsDroppedHoldsNothing() {
    assertOrdered("before", ACTOR);
    assertNothingBegins(ACTOR);
    assertWaits("after", ACTOR);
    decide(
        () -> {
          quiescence.dropped(TABLE);
          return true;
        });
    assertOrdered("after", ACTOR);
  }
}
