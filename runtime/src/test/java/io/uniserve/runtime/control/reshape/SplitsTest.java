package io.uniserve.runtime.control.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.wire.ControlMessage.BeginRedefinition;
import io.uniserve.runtime.wire.ControlMessage.EndRedefinition;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The attempts of a split, the waits, and the reasons for giving up. */
@Timeout(60)
class SplitsTest extends ReshapeFixture {

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  private ClusterState state() {
    return decisions.state();
  }

  private void ask(ActorId id) {
    decide(() -> splits.request(new SplitActor("t", id.number(), Optional.empty())));
  }

  private boolean isToBeSplit(ActorId id) {
    return decide(() -> state().actor(id).orElseThrow().splits());
  }

  private void failAttempt(ActorId id, UniserveException why) throws InterruptedException {
    assertThat(advance(id)).isFalse();
    failCall(why);
    assertThat(nextReconciled()).isEqualTo(id);
  }

  private void assertSplitGivenUp(String why) throws InterruptedException {
    assertGivenUp(new SplitGivenUp(ACTOR, why));
    assertThat(isToBeSplit(ACTOR)).isFalse();
  }

  @Test
  void isTriedTwentyTimesThenGivenUpForTheLastReason() throws Exception {
    ask(ACTOR);
    for (int attempt = 1; attempt <= 20; attempt++) {
      assertNotGivenUp();
      failAttempt(ACTOR, noRoom(attempt));
      clock.advance(PAUSE);
    }
    assertSplitGivenUp("no room, attempt 20");

    ask(ACTOR);
    failAttempt(ACTOR, noRoom(1));
    assertThat(isToBeSplit(ACTOR)).as("asked for again, it has twenty more").isTrue();
  }

  @Test
  void isNotTriedAgainAtOnce() throws Exception {
    ask(ACTOR);
    failAttempt(ACTOR, noRoom(1));
    assertNothingBegins(ACTOR);
    clock.advance(PAUSE.minus(MOMENT));
    assertNothingBegins(ACTOR);
    clock.advance(MOMENT);
    failAttempt(ACTOR, noRoom(2));
  }

  @Test
  void whatCannotBecomeBetterIsNotTriedAgain() throws Exception {
    ask(ACTOR);
    failAttempt(ACTOR, new UniserveException(ErrorCode.UNSUPPORTED, "it has but one key"));
    assertSplitGivenUp("it has but one key");
  }

  @Test
  void afterADefectItIsGivenUpAndOthersHaveTheirTurn() throws Exception {
    broken = true;
    ask(ACTOR);
    assertThat(advance(ACTOR)).isFalse();
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertSplitGivenUp("illegal state: a defect");

    broken = false;
    clock.advance(PAUSE);
    ask(OTHER);
    failAttempt(OTHER, noRoom(1));
  }

  @Test
  void oneIsSplitAtATime() throws Exception {
    ask(ACTOR);
    ask(OTHER);
    assertThat(advance(ACTOR)).isFalse();
    assertNothingBegins(OTHER);
    failCall(new UniserveException(ErrorCode.UNSUPPORTED, "it has but one key"));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    clock.advance(PAUSE);
    failAttempt(OTHER, noRoom(1));
  }

  @Test
  void withoutAPrimaryItIsWaitedForHalfAMinute() throws Exception {
    ask(ACTOR);
    record(new ServerFailed("s1", 1, "the test"));
    assertNothingBegins(ACTOR);
    clock.advance(LONG);
    assertNothingBegins(ACTOR);
    clock.advance(MOMENT);
    assertSplitGivenUp("it has no primary");
  }

  @Test
  void whileACopyMovesItIsWaitedForHalfAMinuteEachTime() throws Exception {
    ask(ACTOR);
    record(new MoveRequested(ACTOR, "s1", "s2", "the test"));
    assertNothingBegins(ACTOR);
    clock.advance(LONG);
    assertNothingBegins(ACTOR);
    record(new MoveEnded(ACTOR, "s1", "s2", MoveEnded.Outcome.FAILED, "the test"));
    failAttempt(ACTOR, noRoom(1));

    record(new MoveRequested(ACTOR, "s1", "s2", "the test"));
    clock.advance(PAUSE);
    assertNothingBegins(ACTOR);
    clock.advance(LONG);
    assertNothingBegins(ACTOR);
    clock.advance(MOMENT);
    assertSplitGivenUp("a copy is being moved");
  }

  @Test
  void whileItsTableGetsAnotherSchemaItIsNotTried() throws Exception {
    TableDefinition now = decide(() -> state().requireTable("t").definition());
    ask(ACTOR);
    record(new ControlRecord.TableRedefined(1, now, Optional.of(now)));
    assertNothingBegins(ACTOR);
    clock.advance(LONG.plus(MOMENT));
    assertSplitGivenUp("the schema of its table is being changed");
  }

  private TableState table() {
    return decide(() -> state().requireTable("t"));
  }

  /** Returns true if it has begun. */
  private boolean beginsRedefinition(StillCaller caller) {
    TableState now = table();
    BeginRedefinition begin =
        new BeginRedefinition(
            now.id(), now.redefined().count(), now.definition(), now.definition());
    boolean begins = decide(() -> redefinitions.begin(begin, caller)).isPresent();
    assertThat(table().redefined().next().isPresent()).isEqualTo(begins);
    return begins;
  }

  private void endRedefinition() {
    TableState now = table();
    decide(() -> redefinitions.end(new EndRedefinition(now.id(), now.redefined().count())));
  }

  @Test
  void whileItIsTriedItsTableGetsNoOtherSchema() throws Exception {
    ask(ACTOR);
    assertThat(advance(ACTOR)).isFalse();
    StillCaller waiting = new StillCaller(clock);
    assertThat(beginsRedefinition(waiting)).isFalse();
    assertThat(waiting.hearsNothing()).as("told when it may try again").isTrue();

    failCall(noRoom(1));
    assertThat(waiting.next()).isEqualTo(ErrorCode.ABORTED);
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertThat(beginsRedefinition(new StillCaller(clock))).isTrue();
  }

  @Test
  void onceItsTableHasAnotherSchemaItIsLookedAtBeforeTheNext() throws Exception {
    assertThat(beginsRedefinition(new StillCaller(clock))).isTrue();
    ask(OTHER);
    assertNothingBegins(OTHER);
    endRedefinition();
    assertThat(reconciled).containsExactly(OTHER);
    failAttempt(OTHER, noRoom(1));
  }
}
