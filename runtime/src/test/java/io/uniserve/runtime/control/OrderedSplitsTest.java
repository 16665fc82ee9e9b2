package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is ordered of an actor before, while and after it is split. */
@Timeout(60)
class OrderedSplitsTest extends ReshapeFixture {
  private static final long TABLE = ACTOR.table();
  private static final Duration HOLD = Duration.ofSeconds(3);
  private static final Stopped STOPPED = new Stopped(new Position(1, 1), 1, Optional.empty());

  /** Nobody waits for its answer. */
  private final class Client implements Transport.Incoming {
    @Override
    public Deadline deadline() {
      return Deadline.after(clock, Deadline.LONGEST);
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public void onCancel(Runnable task) {}

    @Override
    public void reply(Message message) {}

    @Override
    public void complete() {}

    @Override
    public void fail(UniserveException failure) {}
  }

  @Override
  Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  @Override
  Consistency level() {
    return Consistency.ORDERED;
  }

  @BeforeEach
  void ask() {
    decide(() -> splits.request(new SplitActor("t", ACTOR.number(), Optional.empty())));
  }

  private static Payload bytes() {
    return Payload.ofBytes(StillEngine.NAME, ByteBuffer.allocate(1));
  }

  /** Why an update is refused, if it is. */
  private Optional<ErrorCode> submit(String key, ActorId... actors) {
    List<Portion> portions =
        List.of(actors).stream().map(actor -> new Portion(actor.number(), 0, bytes())).toList();
    return decide(
        () -> {
          try {
            orderBook.submit(new SubmitUpdate(TABLE, key, bytes(), portions), new Client());
            return Optional.empty();
          } catch (UniserveException e) {
            assertThat(e.retryable()).isTrue();
            return Optional.of(e.code());
          }
        });
  }

  private void assertOrdered(String key, ActorId actor) {
    assertThat(submit(key, actor)).isEmpty();
  }

  private void assertRefused(String key, ActorId... actors) {
    assertThat(submit(key, actors)).contains(ErrorCode.UNAVAILABLE);
  }

  private void got(Transport.ReplyObserver delivery, long number) {
    Result result = new Result(number, new Position(1, number), Optional.empty());
    answer(delivery, new Delivered(List.of(result), Optional.empty()));
    decide(
        () -> {
          orderBook.check();
          return true;
        });
  }

  private static void answer(Transport.ReplyObserver call, Message message) {
    call.replied(message);
    call.completed();
  }

  private Partitioner now() {
    return decide(() -> decisions.state().requireTable("t").definition().partitioner());
  }

  @Test
  void whatWasOrderedBeforeComesToItsActorsFirstAndNothingMoreIsOrdered() throws Exception {
    assertOrdered("before", ACTOR);
    Transport.ReplyObserver delivery = nextCall();
    assertNothingBegins(ACTOR);
    assertRefused("after", ACTOR);
    assertRefused("of both", ACTOR, OTHER);
    assertThat(submit("before", ACTOR)).as("the same again").isEmpty();
    assertOrdered("of the other", OTHER);
    Transport.ReplyObserver toOther = nextCall();

    got(delivery, 1);
    assertThat(advance(ACTOR)).isFalse();
    answer(nextCall(), STOPPED);
    nextCall(); // for a copy
    assertRefused("while copies are made", ACTOR);
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
    assertRefused("meanwhile", ACTOR);
    failCall(noRoom(1));
    assertThat(nextReconciled()).isEqualTo(ACTOR);
    assertOrdered("then", ACTOR);
  }

  @Test
  void whatIsOrderedInSpiteOfItKeepsTheSplitFromBeingTrue() throws Exception {
    assertThat(advance(ACTOR)).isFalse();
    Transport.ReplyObserver stop = nextCall();
    TableDefinition table = decide(() -> decisions.state().requireTable("t").definition());
    record(new ControlRecord.TableRedefined(TABLE, table, Optional.of(table)));
    assertNothingBegins(ACTOR);
    record(new ControlRecord.TableRedefined(TABLE, table, Optional.empty()));
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
      assertRefused("waits", ACTOR);
      assertThat(advance(ACTOR)).isFalse();
      clock.advance(MOMENT);
      assertRefused("waits", ACTOR);
      assertThat(advance(ACTOR)).isFalse();
      assertOrdered("in the pause " + attempt, ACTOR);
      clock.advance(PAUSE);
    }
    assertGivenUp(
        new SplitGivenUp(ACTOR, "an ordered update of it has yet to come to other actors"));
  }

  @Test
  void aTableThatIsDroppedHoldsNothing() {
    assertOrdered("before", ACTOR);
    assertNothingBegins(ACTOR);
    assertRefused("after", ACTOR);
    decide(
        () -> {
          quiets.dropped(TABLE);
          return true;
        });
    assertOrdered("after", ACTOR);
  }
}
