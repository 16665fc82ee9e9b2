package io.uniserve.runtime.control.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.control.log.OrderChange;
import io.uniserve.runtime.control.log.OrderedUpdate;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.OrderedMessage.Applied;
import io.uniserve.runtime.wire.OrderedMessage.AppliedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import io.uniserve.runtime.wire.OrderedMessage.SequenceRange;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The outcomes of a session's updates that are kept for its client. */
class SessionOutcomesTest {
  private static final Hash SESSION = new Hash(1, 100);

  private final List<SessionOutcomes> answerable = new ArrayList<>();
  private long keptBytes;

  private final SessionOutcomes outcomes =
      new SessionOutcomes(
          7,
          SESSION,
          new SessionOutcomes.Listener() {
            @Override
            public void answerable(SessionOutcomes session) {
              answerable.add(session);
            }

            @Override
            public void keeps(long moreBytes) {
              keptBytes += moreBytes;
            }
          },
          0);

  private static OrderEntry entry(long sequence) {
    UpdateKey key = new UpdateKey(OrderChange.OfSession.keyName(SESSION, sequence), 0, Hash.NONE);
    return new OrderEntry(
        new OrderedUpdate(
            10 + sequence,
            new OrderChange.Placed(
                7,
                0,
                key,
                StillEngine.NAME,
                new byte[0],
                List.of(new OrderChange.Portion(0, new byte[0]))),
            List.of(0L)));
  }

  private static void happens(OrderEntry entry) {
    entry.got(new Outcome(0, new Position(1, 1), Optional.empty(), List.of()));
  }

  /** Asks for an update that no former coordinator has placed, and returns who waits. */
  private StillCaller ask(long sequence) {
    StillCaller caller = new StillCaller(StillClock.ofWaits());
    outcomes.ask(
        List.of(new SequenceRange(sequence, sequence)), number -> Optional.empty(), caller, 0);
    return caller;
  }

  private static List<Long> told(StillCaller caller) throws InterruptedException {
    return ((Applied) caller.next()).updates().stream().map(AppliedUpdate::sequence).toList();
  }

  @Test
  void anOutcomeIsKeptUntilTheNextQuestionShowsThatItWasHeard() throws Exception {
    OrderEntry first = entry(1);
    OrderEntry second = entry(2);
    outcomes.await(first, 0);
    outcomes.await(second, 0);
    happens(first);
    long ofOne = keptBytes;
    assertThat(ofOne).isPositive();
    StillCaller asked = ask(1);
    assertThat(answerable).contains(outcomes);
    outcomes.answer();
    assertThat(told(asked)).containsExactly(1L);
    assertThat(keptBytes).as("the answer may be lost").isEqualTo(ofOne);

    StillCaller again = ask(1);
    outcomes.answer();
    assertThat(told(again)).containsExactly(1L);
    StillCaller later = ask(2);
    assertThat(keptBytes).isZero();
    assertThat(later.hearsNothing()).isTrue();
    happens(second);
    outcomes.answer();
    assertThat(told(later)).containsExactly(2L);
  }

  /** The client asks the actors then, who know the outcome. */
  @Test
  void whatWasForgottenIsSaidToBeSettled() throws Exception {
    OrderEntry idle = entry(1);
    outcomes.await(idle, 0);
    happens(idle);
    outcomes.forget();
    assertThat(keptBytes).isZero();
    StillCaller asked = ask(1);
    outcomes.answer();
    Applied answer = (Applied) asked.next();
    assertThat(answer.updates()).isEmpty();
    assertThat(answer.settled()).containsExactly(1L);
  }

  @Test
  void whatHappensToAForgottenUpdateIsNotKept() {
    OrderEntry open = entry(1);
    outcomes.await(open, 0);
    outcomes.forget();
    happens(open);
    assertThat(keptBytes).isZero();
  }
}
