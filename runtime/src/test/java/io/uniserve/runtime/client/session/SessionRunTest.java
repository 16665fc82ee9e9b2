package io.uniserve.runtime.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.context.ClientFixture;
import io.uniserve.runtime.client.update.Addressed;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.OrderedMessage.Applied;
import io.uniserve.runtime.wire.OrderedMessage.AppliedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.AwaitSession;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Stable;
import io.uniserve.runtime.wire.OrderedMessage.SubmitSession;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reads of a session whose place can no longer be read. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionRunTest {
  private static final int ACTORS = 2;

  /** A read of all actors. */
  private static final Addressed.Read WHOLE = new Addressed.Read(Optional.empty());

  /** A read of one actor. */
  private static final Addressed.Read PART =
      new Addressed.Read(
          Optional.of(new Source.Table("t", new Keys.Of(List.of(PartitionKey.of("k"))))));

  @TempDir Path directory;

  private final StillTransport transport = new StillTransport();

  /** Begins a session that has a place for each read as soon as its controller answers. */
  private SessionRun session(SessionOptions options) throws IOException {
    ProductionEnvironment environment =
        ProcessFixture.environment(StillClock.ofWaits(), directory, transport);
    TableDefinition definition =
        new TableDefinition(
            "t",
            StillEngine.NAME,
            new Partitioner.Hash(ACTORS),
            1,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    ClusterState state = ClusterState.EMPTY;
    for (ControlRecord record :
        List.of(
            new ControlRecord.ServerJoined("s1", new Address("s1"), 1),
            new ControlRecord.TableCreated(1, definition, List.of(List.of("s1"), List.of("s1"))))) {
      state = Replay.apply(state, record);
    }
    TableState table = state.requireTable("t");
    Controllers controllers = new Controllers(environment, List.of(new Address("a")));
    return new SessionRun(ClientFixture.context(environment, controllers), table, options);
  }

  /** Answers what a session sends next: its reads have places from this one on. */
  private int placed(long number) throws InterruptedException {
    StillTransport.Made call = transport.next();
    SubmitSession submit = (SubmitSession) call.request();
    List<Long> numbers = new ArrayList<>();
    submit.updates().forEach(update -> numbers.add(number + numbers.size()));
    call.answer(new Stable(numbers, Optional.empty()));
    return submit.updates().getFirst().portions().size();
  }

  private static void assertGoneOn(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_GONE))
        .hasMessageContaining("the session has gone on");
  }

  @Test
  void aReadTakesAnotherPlaceIfTheSessionHasSubmittedNothingSince() throws Exception {
    SessionRun session = session(SessionOptions.DEFAULT.withWindow(2, 1 << 20).failingWhenFull());
    SessionRead.Submitted read = session.submitRead(WHOLE, Optional.empty());
    placed(1);
    SessionRead.Submitted again = session.submitRead(WHOLE, Optional.of(read.entry()));
    assertThat(transport.next().request()).isInstanceOf(AwaitSession.class);
    placed(2);
    assertThat(again.mark().get(1, TimeUnit.SECONDS).number()).isEqualTo(2);
  }

  @Test
  void aReadTakesNoPlaceAfterWhatWasSubmittedLater() throws Exception {
    SessionRun session = session(SessionOptions.DEFAULT.withWindow(2, 1 << 20).failingWhenFull());
    SessionRead.Submitted read = session.submitRead(WHOLE, Optional.empty());
    placed(1);
    session.submitRead(PART, Optional.empty());
    assertThatThrownBy(() -> session.submitRead(WHOLE, Optional.of(read.entry())))
        .satisfies(SessionRunTest::assertGoneOn);
  }

  @RepeatedTest(20)
  void aReadThatWaitsForRoomTakesNoPlaceAfterWhatWasSubmittedMeanwhile() throws Exception {
    SessionRun session = session(SessionOptions.DEFAULT.withWindow(1, 1 << 20));
    SessionRead.Submitted read = session.submitRead(WHOLE, Optional.empty());
    placed(1);
    StillTransport.Made question = transport.next();
    assertThat(question.request()).isInstanceOf(AwaitSession.class);
    List<Thread> waiting = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(
            task -> {
              Thread thread = new Thread(task);
              waiting.add(thread);
              return thread;
            })) {
      CompletableFuture<SessionRead.Submitted> later =
          CompletableFuture.supplyAsync(() -> session.submitRead(PART, Optional.empty()), threads);
      CompletableFuture<SessionRead.Submitted> again =
          CompletableFuture.supplyAsync(
              () -> session.submitRead(WHOLE, Optional.of(read.entry())), threads);
      while (!waiting.stream().allMatch(SessionRunTest::waits)) {
        Thread.onSpinWait();
      }
      question.answer(
          new Applied(List.of(new AppliedUpdate(1, new Happened(1, List.of()))), List.of()));
      int actors = placed(2);
      StillTransport.Made next = transport.next();
      assertThat(next.request()).isInstanceOf(AwaitSession.class);
      next.answer(
          new Applied(List.of(new AppliedUpdate(2, new Happened(2, List.of()))), List.of()));
      if (actors == ACTORS) {
        assertThat(again.get().mark()).isCompletedWithValueMatching(mark -> mark.number() == 2);
        assertThat(placed(3)).as("actors of the read that was submitted later").isEqualTo(1);
      } else {
        assertThatThrownBy(again::get).cause().satisfies(SessionRunTest::assertGoneOn);
      }
      later.get();
    }
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }
}
