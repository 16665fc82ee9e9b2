package io.uniserve.runtime.control.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DecisionsTest {
  private static final Message ANSWER = new Noted();

  private final StillTimers clock = new StillTimers(StillClock.ofWaits());
  private final StillQuorum quorum = new StillQuorum();
  private Decisions decisions;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    decisions =
        new Decisions(
            ProcessFixture.environment(clock, directory, new StillTransport()),
            quorum,
            new ReplicatedState(),
            1);
    decisions.start();
  }

  @AfterEach
  void end() {
    decisions.stop();
    decisions.awaitEnd();
  }

  private StillCaller asks(Runnable decision) {
    StillCaller caller = new StillCaller(clock);
    decisions.submit(
        caller,
        call -> {
          decision.run();
          answer(call);
        });
    return caller;
  }

  private static void answer(Incoming call) {
    call.reply(ANSWER);
    call.complete();
  }

  private StillCaller beats() {
    return asks(decisions::isInNoHurry);
  }

  /** Waits until all submitted tasks have been decided. */
  private void settle() throws InterruptedException {
    BlockingQueue<Boolean> done = new LinkedBlockingQueue<>();
    decisions.submit(() -> done.add(true));
    assertThat(done.poll(20, TimeUnit.SECONDS)).isTrue();
    decisions.submit(() -> done.add(true)); // in the next batch
    assertThat(done.poll(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void answersInNoHurryShareAConfirmation() throws Exception {
    List<StillCaller> callers = Stream.generate(this::beats).limit(5).toList();
    settle();
    clock.pass(Decisions.NO_HURRY.minusMillis(1));
    StillCaller last = beats();
    settle();
    assertThat(quorum.isAsked()).isFalse();

    clock.pass(Duration.ofMillis(1));
    quorum.agree();
    for (StillCaller caller : callers) {
      assertThat(caller.next()).isEqualTo(ANSWER);
    }
    assertThat(last.next()).isEqualTo(ANSWER);
    settle();
    assertThat(quorum.isAsked()).isFalse();
  }

  @Test
  void nobodyIsAnsweredBeforeAMajorityHasConfirmed() throws Exception {
    StillCaller caller = beats();
    settle();
    clock.pass(Decisions.NO_HURRY);
    settle();
    assertThat(caller.hearsNothing()).isTrue();
    quorum.agree();
    assertThat(caller.next()).isEqualTo(ANSWER);
  }

  @Test
  void whoeverHurriesTakesThemAlong() throws Exception {
    StillCaller patient = beats();
    settle();
    assertThat(quorum.isAsked()).isFalse();

    StillCaller urgent = asks(() -> {});
    quorum.agree();
    assertThat(urgent.next()).isEqualTo(ANSWER);
    assertThat(patient.next()).isEqualTo(ANSWER);
  }

  @Test
  void aDecisionTakesThemAlong() throws Exception {
    StillCaller patient = beats();
    settle();
    decisions.submit(() -> decisions.record(List.of(new ServerJoined("s1", new Address("s1"), 1))));
    quorum.agree();
    assertThat(patient.next()).isEqualTo(ANSWER);
  }

  @Test
  void theNextHaveTheirOwnConfirmation() throws Exception {
    for (int i = 0; i < 3; i++) {
      StillCaller caller = beats();
      settle();
      clock.pass(Decisions.NO_HURRY);
      quorum.agree();
      assertThat(caller.next()).isEqualTo(ANSWER);
    }
  }

  /** A waiting caller is sent to another controller when the term ends. */
  @Test
  void nobodyIsForgotten() throws Exception {
    StillCaller caller = beats();
    settle();
    decisions.stop();
    assertThat(caller.next()).isNotNull().isNotEqualTo(ANSWER);
  }
}
