package io.uniserve.runtime.client.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ClientFixture;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.TransactionMessage.KeepTurn;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnKept;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The behaviour of a transaction while it waits for its turn, and while it has it. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActorsTurnTest {
  private static final Address CONTROLLER = new Address("a");
  private static final Address OTHER = new Address("b");
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;

  private final StillClock clock = StillClock.ofWaits();
  private final StillTimers timers = new StillTimers(clock);
  private final StillTransport transport = new StillTransport();
  private ProductionEnvironment environment;
  private Controllers controllers;
  private ActorsTurn turn;
  private StillTransport.Made waiting;

  /** The outcome for the transaction: its turn has come, or a failure. */
  private Promise<Boolean> outcome;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    environment = ProcessFixture.environment(timers, directory, transport);
    controllers = new Controllers(environment, List.of(CONTROLLER));
    ClientContext client = ClientFixture.context(environment, controllers);
    TableDefinition table =
        new TableDefinition(
            "t",
            StillEngine.NAME,
            new Partitioner.Hash(1),
            1,
            Durability.NONE,
            Consistency.SERIALIZABLE,
            Map.of());
    ClusterState state = ClusterState.EMPTY;
    for (ControlRecord record :
        List.of(
            new ControlRecord.ServerJoined("s1", new Address("s1"), 1),
            new ControlRecord.TableCreated(1, table, List.of(List.of("s1"))))) {
      state = Replay.apply(state, record);
    }
    turn =
        new ActorsTurn(client, state.requireTable("t"), List.of(new ActorId(1, 0)), "transaction");
    outcome = new Promise<>(environment.threads());
    environment.threads().start("transaction", this::await);
    waiting = transport.next();
    assertThat(waiting.request()).isEqualTo(new TakeTurn(1, "transaction", List.of(0)));
    assertThat(waiting.to()).isEqualTo(CONTROLLER);
  }

  private void await() {
    try {
      turn.await(Deadline.after(clock, Deadline.LONGEST));
      outcome.complete(true);
    } catch (UniserveException e) {
      outcome.fail(e);
    }
  }

  /** Returns the request that is sent after a second. */
  private StillTransport.Made keeping() throws InterruptedException {
    StillTransport.Made kept = null;
    while (kept == null) {
      // The timer may not have been set yet by the thread of the transaction.
      timers.pass(SECOND);
      kept = transport.idle() ? null : transport.next();
    }
    assertThat(kept.to()).isEqualTo(CONTROLLER);
    assertThat(kept.request()).isEqualTo(new KeepTurn(1, "transaction"));
    return kept;
  }

  private boolean outcome() {
    return outcome.await(Deadline.after(clock, Deadline.LONGEST), "the turn");
  }

  private void assertLost(String why) {
    assertThatThrownBy(this::outcome)
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
              assertThat(e).hasMessage(why);
            });
  }

  @Test
  void saysEachSecondThatItIsWantedUntilItIsClosed() throws InterruptedException {
    keeping().answer(new TurnKept(true));
    keeping().answer(new TurnKept(true));
    waiting.replies().replied(new TurnTaken());
    assertThat(outcome()).isTrue();
    keeping().answer(new TurnKept(true));
    StillTransport.Made last = keeping();
    turn.close();
    last.answer(new TurnKept(true));
    timers.pass(SECOND);
    assertThat(transport.idle()).isTrue();
    assertThat(waiting.cancelled()).hasValue(1);
  }

  @Test
  void isNotWaitedForWhereNobodyKnowsOfIt() throws InterruptedException {
    keeping().answer(new TurnKept(false));
    assertLost("the turn is not waited for any more");
  }

  @Test
  void isNotWaitedForAtAControllerThatDoesNotDecide() throws InterruptedException {
    Message elsewhere = new NotLeader(Optional.of(OTHER));
    keeping().answer(elsewhere);
    assertLost("another controller decides");
    assertThat(controllers.deciding()).isEqualTo(OTHER);
  }

  @Test
  void isNotWaitedForAtAControllerThatDoesNotAnswer() throws InterruptedException {
    keeping().replies().failed(new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "no answer"));
    assertLost("no answer");
  }

  @Test
  void goesOnAlthoughTheControllerWasOnceOutOfReach() throws InterruptedException {
    waiting.replies().replied(new TurnTaken());
    assertThat(outcome()).isTrue();
    keeping().replies().failed(new UniserveException(ErrorCode.UNAVAILABLE, "away"));
    keeping().answer(new TurnKept(true));
  }
}
