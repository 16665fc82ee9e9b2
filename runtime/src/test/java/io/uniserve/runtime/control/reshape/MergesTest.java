package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPinned;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeGivenUp;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.Placed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The waits of a merge, their limits, and the reasons for giving up. */
@Timeout(60)
class MergesTest extends ReshapeFixture {
  private static final Duration TOGETHER = Duration.ofMinutes(30);

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Range(List.of(PartitionKey.of("m")));
  }

  private void ask() {
    decide(() -> merges.request(new MergeActor("t", ACTOR.number(), Optional.empty())));
  }

  private ActorState actor(ActorId id) {
    return decide(() -> decisions.state().actor(id).orElseThrow());
  }

  private void assertMergeGivenUp(String why) throws InterruptedException {
    assertGivenUp(new MergeGivenUp(ACTOR, OTHER.number(), why));
    assertThat(actor(ACTOR).merges()).isEmpty();
    assertThat(actor(OTHER).merges()).isEmpty();
  }

  @Test
  void copiesComeTogetherFirst() throws Exception {
    ask();
    assertThat(advance(ACTOR)).isFalse();

    assertThat(nextReconciled()).isEqualTo(OTHER);
    assertThat(actor(OTHER).placed().map(Placed::servers)).contains(List.of("s1"));
    assertThat(attempts).as("while they are apart nothing is stopped").isEmpty();
    assertNothingBegins(ACTOR);
  }

  @Test
  void copiesGoToWhereTheOtherIsPinned() throws Exception {
    record(new ActorPinned(OTHER, "s2", true));
    ask();
    assertThat(advance(ACTOR)).isFalse();

    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertThat(actor(ACTOR).placed().map(Placed::servers)).contains(List.of("s2"));
  }

  @Test
  void copiesThatDoNotComeTogetherAreWaitedForHalfAnHour() throws Exception {
    ask();
    assertThat(advance(ACTOR)).isFalse();
    clock.advance(TOGETHER);
    assertNothingBegins(ACTOR);
    clock.advance(MOMENT);
    assertMergeGivenUp("their copies could not be brought to the same servers");
  }

  @Test
  void afterADefectTheyStayTwoAndAnotherAttemptCanBeMade() throws Exception {
    bringTogether();
    broken = true;
    ask();
    assertThat(advance(ACTOR)).isFalse();
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertMergeGivenUp("illegal state: a defect");

    broken = false;
    ask();
    clock.advance(PAUSE);
    assertThat(advance(ACTOR)).isFalse();
    failCall(noRoom(1));
  }

  @Test
  void thosePinnedToDifferentServersStayTwo() throws Exception {
    record(new ActorPinned(ACTOR, "s1", true), new ActorPinned(OTHER, "s2", true));
    ask();
    assertMergeGivenUp("they are pinned to different servers");
  }

  @Test
  void withoutAPrimaryItIsWaitedForHalfAMinute() throws Exception {
    ask();
    record(new ServerFailed("s2", 1, "the test"));
    assertNothingBegins(ACTOR);
    clock.advance(LONG);
    assertNothingBegins(ACTOR);
    clock.advance(MOMENT);
    assertMergeGivenUp("actor 1 has no primary");
  }
}
