package io.uniserve.runtime.control.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.control.log.AgreeingQuorum;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.ReplicatedState;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.OrderedMessage.Applied;
import io.uniserve.runtime.wire.OrderedMessage.AppliedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.AwaitSession;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.SequenceRange;
import io.uniserve.runtime.wire.OrderedMessage.SessionUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Stable;
import io.uniserve.runtime.wire.OrderedMessage.SubmitSession;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UpdateSequencerTest {
  private static final long TABLE = 1;
  private static final Hash SESSION = new Hash(3, 4);

  private final SystemClock clock = new SystemClock();
  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private ProductionEnvironment environment;
  private Decisions decisions;
  private OrderHolds holds;
  private UpdateSequencer book;

  /** The generation of the actors' keys, as clients know it. */
  private int generation;

  /** One message to a server, which the test answers. */
  private record Sent(Address to, Deliver message, Transport.ReplyObserver answer) {
    private List<Long> numbers() {
      return message.updates().stream().map(update -> update.place().number()).toList();
    }

    private void gotAll() {
      got(message.updates().size(), Optional.empty());
    }

    private void got(int count, Optional<Long> behind) {
      got(count, behind, List.of());
    }

    private void got(int count, Optional<Long> behind, List<GivenAnswer> answers) {
      List<Result> results =
          message.updates().subList(0, count).stream()
              .map(Delivery::place)
              .map(
                  place ->
                      new Result(
                          place.number(),
                          new Position(1, place.number()),
                          Optional.empty(),
                          answers))
              .toList();
      answer.replied(new Delivered(results, behind));
      answer.completed();
    }
  }

  private final class Servers implements Transport {
    @Override
    public Registration listen(Address self, Handler handler) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      sent.add(new Sent(to, (Deliver) request, replies));
      return () -> {};
    }
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    environment = ProcessFixture.environment(clock, directory, new Servers());
    decisions = new Decisions(environment, new AgreeingQuorum(_ -> {}), new ReplicatedState(), 1);
    decisions.start();
    TableDefinition table =
        new TableDefinition(
            "t",
            StillEngine.NAME,
            new Partitioner.Hash(2),
            1,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    record(
        new ServerJoined("s1", new Address("s1"), 1),
        new ServerJoined("s2", new Address("s2"), 1),
        new ControlRecord.TableCreated(TABLE, table, List.of(List.of("s1"), List.of("s2"))));
    book = newBook();
  }

  @AfterEach
  void end() {
    decisions.stop();
    decisions.awaitEnd();
    clock.close();
  }

  private UpdateSequencer newBook() {
    holds = new OrderHolds(decisions, clock);
    Engines engines = new Engines(List.of(new StillEngine(false)));
    return new UpdateSequencer(environment, decisions, engines, holds);
  }

  private void record(ControlRecord... records) {
    decide(() -> decisions.record(List.of(records)));
  }

  /** Runs a decision on the deciding thread. */
  private void decide(Runnable decision) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    decisions.submit(
        () -> {
          try {
            decision.run();
            done.complete(null);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    done.join();
  }

  private static Payload bytes(int size) {
    return Payload.ofBytes(StillEngine.NAME, ByteBuffer.wrap(new byte[size]));
  }

  private StillCaller submit(String key, Integer... actors) {
    return submitBytes(key, 10, actors);
  }

  @Test
  void aKeyThatMayBeForgottenIsRefused() {
    Instant longAgo = clock.now().minus(UpdateKey.LIFETIME).minusSeconds(1);
    UpdateKey old = UpdateKey.random(new Random(1), longAgo);
    assertThatThrownBy(() -> submitBytes(old, 10, 1))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("may be forgotten");
    assertThat(sent).isEmpty();
  }

  private StillCaller submitBytes(String key, int size, Integer... actors) {
    return submitBytes(UpdateKey.of(key), size, actors);
  }

  private StillCaller submitBytes(UpdateKey key, int size, Integer... actors) {
    StillCaller client = new StillCaller(clock);
    List<Portion> portions = new ArrayList<>();
    for (int actor : actors) {
      portions.add(new Portion(actor, generation, bytes(size)));
    }
    try {
      decide(() -> book.submit(new SubmitUpdate(TABLE, key, bytes(5), portions), client));
    } catch (CompletionException e) {
      throw (UniserveException) e.getCause();
    }
    return client;
  }

  /** Returns the next message to an actor. */
  private Sent to(int actor) throws InterruptedException {
    List<Sent> others = new ArrayList<>();
    while (true) {
      Sent next = sent.poll(20, TimeUnit.SECONDS);
      assertThat(next).as("a message to actor %d", actor).isNotNull();
      if (next.message().actor().equals(new ActorId(TABLE, actor))) {
        sent.drainTo(others);
        sent.addAll(others);
        return next;
      }
      others.add(next);
    }
  }

  private void requireRefused(ErrorCode code, Runnable submission) {
    assertThatThrownBy(submission::run)
        .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void anUpdateGoesToItsActorsAloneAndNamesTheOneBeforeIt() throws Exception {
    StillCaller first = submit("a", 0, 1);
    Sent toZero = to(0);
    assertThat(toZero.to()).isEqualTo(new Address("s1"));
    assertThat(toZero.numbers()).containsExactly(1L);
    assertThat(toZero.message().updates().getFirst().place().actors()).containsExactly(0, 1);
    to(1).gotAll();
    submit("b", 1);
    submit("c", 0, 1);
    toZero.gotAll();
    assertThat(first.next())
        .isInstanceOfSatisfying(Happened.class, h -> assertThat(h.number()).isEqualTo(1));
    assertThat(to(0).message().updates().getFirst().place())
        .satisfies(place -> assertThat(place.number()).isEqualTo(3))
        .satisfies(place -> assertThat(place.previous()).isEqualTo(1));
    List<Delivery> toOne = new ArrayList<>();
    while (toOne.size() < 2) {
      Sent next = to(1);
      toOne.addAll(next.message().updates());
      next.gotAll();
    }
    assertThat(toOne.stream().map(update -> update.place().number())).containsExactly(2L, 3L);
    assertThat(toOne.stream().map(update -> update.place().previous())).containsExactly(1L, 2L);
  }

  @Test
  void theSameUpdateUnderWayIsOrderedOnceAndAllWhoAskAreAnswered() throws Exception {
    StillCaller first = submit("a", 0);
    StillCaller again = submit("a", 0);
    to(0).gotAll();
    assertThat(again.next()).isEqualTo(first.next()).isNotNull();
    assertThat(submit("a", 0).next()).as("before it is settled").isNotNull();
    assertThat(sent).isEmpty();
  }

  @Test
  void tooMuchUnderWayToAnActorIsRefusedEarlyAndSettledUpdatesMakeRoom() throws Exception {
    submit("first", 1);
    Sent message = to(1);
    IntStream.range(1, OrderAdmission.ACTOR_PENDING_MAX).forEach(i -> submit("u" + i, 1));
    requireRefused(ErrorCode.EXHAUSTED, () -> submit("more", 0, 1));
    assertThat(ErrorCode.EXHAUSTED.retryable()).isTrue();
    StillCaller other = submit("other", 0);
    to(0).gotAll();
    assertThat(other.next()).as("of an actor that is not slow").isNotNull();
    StillCaller waiting = submit("first", 1);
    message.gotAll();
    assertThat(waiting.next()).isNotNull();
    submit("more", 1);
    requireRefused(ErrorCode.EXHAUSTED, () -> submit("still more", 1));
  }

  @Test
  void whatIsTooLargeOrOfNoActorIsRefused() {
    requireRefused(
        ErrorCode.TOO_LARGE, () -> submitBytes("large", OrderedMessage.BYTES_MAX + 1, 0));
    requireRefused(ErrorCode.INVALID_ARGUMENT, () -> submit("none"));
    requireRefused(ErrorCode.INVALID_ARGUMENT, () -> submit("other", 2));
    requireRefused(ErrorCode.INVALID_ARGUMENT, () -> submit("twice", 1, 1));
    assertThat(sent).isEmpty();
  }

  @Test
  void anActorThatLostWhatIsNotSettledGetsItAgainBeforeWhatComesAfter() throws Exception {
    submit("a", 0, 1);
    to(0).gotAll();
    submit("b", 0);
    Sent second = to(0);
    assertThat(second.numbers()).containsExactly(2L);
    second.got(0, Optional.of(0L));
    Sent again = to(0);
    assertThat(again.numbers()).containsExactly(1L, 2L);
    assertThat(again.message().updates().stream().map(Delivery::after)).containsExactly(0L, 1L);
  }

  @Test
  void whatIsSettledNobodyWaitsForThoughAnEarlierOneIsNot() throws Exception {
    submit("a", 0, 1);
    to(0).gotAll();
    submit("b", 0);
    to(0).gotAll();
    decide(book::check);
    submit("c", 0);
    Delivery third = to(0).message().updates().getFirst();
    assertThat(third.place().previous()).isEqualTo(2);
    assertThat(third.after()).as("the newest that is not settled").isEqualTo(1);
  }

  @Test
  void aRefusalIsPartOfTheAnswer() throws Exception {
    StillCaller client = submit("a", 0);
    Refusal refusal = new Refusal(ErrorCode.INVALID_ARGUMENT, "no");
    to(0)
        .answer()
        .replied(
            new Delivered(
                List.of(new Result(1, new Position(1, 1), Optional.of(refusal), List.of())),
                Optional.empty()));
    assertThat(((Happened) client.next()).outcomes().getFirst().refusal()).contains(refusal);
  }

  @Test
  void theNextCoordinatorDeliversAgainWhatIsNotSettled() throws Exception {
    submit("a", 0, 1);
    to(0).gotAll();
    to(1);
    book = newBook();
    decide(book::begin);
    assertThat(to(0).numbers()).containsExactly(1L);
    StillCaller again = submit("a", 0, 1);
    to(1).gotAll();
    assertThat(sent).isEmpty();
    assertThat(again.hearsNothing()).as("no answer before all actors have it").isTrue();
  }

  @Test
  void anotherPrimaryGetsWhatTheFormerHasNotAnswered() throws Exception {
    submit("a", 0);
    assertThat(to(0).to()).isEqualTo(new Address("s1"));
    ActorId actor = new ActorId(TABLE, 0);
    record(
        new ControlRecord.CopyAdded(actor, "s2", "a test"),
        new ControlRecord.PrimaryChanged(actor, 2, "s2", "a test"));
    decide(() -> book.turn(actor));
    assertThat(to(0).to()).isEqualTo(new Address("s2"));
  }

  @Test
  void bothPartsGoOnFromWhatTheWholeHadGotInTheirGenerations() throws Exception {
    submit("a", 0);
    to(0).gotAll();
    decide(book::check);
    long later = clock.now().toEpochMilli() + 60_000;
    Partitioner.Refined refined =
        new Partitioner.Hash(2).cut(0, new PartitionChange.Where.Bit(0), later);
    PartitionChange.Cut cut = (PartitionChange.Cut) refined.changes().getLast();
    record(new ControlRecord.ActorSplit(new ActorId(TABLE, 0), cut, 2, 9, List.of("s1")));
    requireRefused(ErrorCode.STALE_ROUTING, () -> submit("grouped before", 0));
    submit("b", 1);
    assertThat(to(1).message().generation()).isZero();

    generation = 1;
    requireRefused(ErrorCode.STALE_ROUTING, () -> submit("grouped otherwise", 0, 1, 2));
    submit("c", 0, 2);
    for (int actor : List.of(0, 2)) {
      Deliver message = to(actor).message();
      assertThat(message.generation()).isEqualTo(1);
      Delivery delivery = message.updates().getFirst();
      assertThat(delivery.place().previous()).isEqualTo(1);
      assertThat(delivery.timeMillis()).as("whatever the clocks say").isGreaterThan(later);
    }
  }

  @Test
  void severalMessagesToAnActorAreUnderWayAndOnlyThoseFromALostOneOnAreSentAgain()
      throws Exception {
    List<StillCaller> clients = new ArrayList<>();
    List<Sent> messages = new ArrayList<>();
    for (int i = 1; i <= Deliveries.MESSAGES_MAX; i++) {
      clients.add(submit("u" + i, 0));
      messages.add(to(0));
      assertThat(messages.getLast().numbers()).containsExactly((long) i);
    }
    clients.add(submit("waits", 0));
    assertThat(sent).as("beyond the window").isEmpty();
    messages.get(2).gotAll();
    assertThat(clients.get(2).next()).isInstanceOf(Happened.class);
    assertThat(to(0).numbers()).as("one more, since one is answered").containsExactly(5L);
    messages.get(0).gotAll();
    messages.get(1).answer().failed(new UniserveException(ErrorCode.UNAVAILABLE, "gone"));
    assertThat(to(0).numbers()).containsExactly(2L, 4L, 5L);
  }

  private StillCaller session(long first, int count) {
    return session(first, Collections.nCopies(count, updateOf(0)));
  }

  private SessionUpdate updateOf(int actor) {
    return new SessionUpdate(bytes(5), List.of(new Portion(actor, generation, bytes(10))));
  }

  private StillCaller session(long first, List<SessionUpdate> updates) {
    StillCaller client = new StillCaller(clock);
    SubmitSession request =
        new SubmitSession(TABLE, SESSION, clock.now().toEpochMilli(), first, updates);
    decide(() -> book.submit(request, client));
    return client;
  }

  private StillCaller await(long first, long last) {
    StillCaller client = new StillCaller(clock);
    decide(
        () ->
            book.await(
                new AwaitSession(TABLE, SESSION, List.of(new SequenceRange(first, last))), client));
    return client;
  }

  private static Stable stable(StillCaller client) throws InterruptedException {
    return (Stable) client.next();
  }

  @Test
  void updatesOfASessionGetTheirPlacesOnceInWhateverOrderTheyCome() throws Exception {
    StillCaller later = session(3, 2);
    assertThat(later.hearsNothing()).isTrue();
    assertThat(stable(session(1, 2))).isEqualTo(new Stable(List.of(1L, 2L), Optional.empty()));
    assertThat(stable(later).numbers()).containsExactly(3L, 4L);
    assertThat(stable(session(2, 4)).numbers()).as("again").containsExactly(2L, 3L, 4L, 5L);
    assertThat(stable(session(2, 1)).numbers()).containsExactly(2L);
  }

  @Test
  void aSessionHearsOutcomesOnceThereAreAnyAlsoOfSettledUpdates() throws Exception {
    stable(session(1, 2));
    StillCaller asks = await(1, 2);
    assertThat(asks.hearsNothing()).as("no outcome yet").isTrue();
    Sent message = to(0);
    message.gotAll();
    Applied applied = (Applied) asks.next();
    assertThat(applied.updates().stream().map(AppliedUpdate::sequence)).containsExactly(1L, 2L);
    assertThat(applied.settled()).isEmpty();
    decide(book::check);
    stable(session(3, 1));
    assertThat(sequences((Applied) await(1, 3).next()))
        .as("settled, but asked for again, as if the answer was lost")
        .containsExactly(1L, 2L);

    await(3, 3);
    to(0).gotAll();
    Applied known = (Applied) await(1, 3).next();
    assertThat(known.settled()).as("the client had them").containsExactly(1L, 2L);
  }

  @Test
  void aSessionHearsOfUpdatesThatHappenedBeforeItAsked() throws Exception {
    stable(session(1, 2));
    to(0).gotAll();
    decide(book::check);
    stable(session(3, 1));
    assertThat(sequences((Applied) await(1, 3).next())).containsExactly(1L, 2L);
    StillCaller asks = await(3, 3);
    to(0).gotAll();
    assertThat(sequences((Applied) asks.next())).containsExactly(3L);
  }

  @Test
  void outcomesOfMoreThanTheirMemoryAreForgottenAndLeftToTheActors() throws Exception {
    int updates = 1_500;
    byte[] large = new byte[64 << 10];
    stable(session(1, updates / 2));
    stable(session(1 + updates / 2, updates / 2));
    for (int got = 0; got < updates; ) {
      Sent message = to(0);
      GivenAnswer answer = new GivenAnswer(0, new Position(1, 1), List.of(), large);
      message.got(message.numbers().size(), Optional.empty(), List.of(answer));
      got += message.numbers().size();
    }
    decide(book::check);
    Applied known = (Applied) await(1, updates).next();
    assertThat(known.settled()).as("forgotten").isNotEmpty();
    assertThat(known.updates()).as("an answer is bounded").hasSizeLessThan(65);
  }

  @Test
  void aQuestionThatIsReplacedIsAnswered() throws Exception {
    stable(session(1, 1));
    StillCaller former = await(1, 1);
    StillCaller asks = await(1, 1);
    assertThat(sequences((Applied) former.next())).isEmpty();
    to(0).gotAll();
    assertThat(sequences((Applied) asks.next())).containsExactly(1L);
  }

  private static List<Long> sequences(Applied applied) {
    assertThat(applied.settled()).isEmpty();
    return applied.updates().stream().map(AppliedUpdate::sequence).toList();
  }

  @Test
  void theNextCoordinatorKnowsWhatASessionHasPlaced() throws Exception {
    stable(session(1, 2));
    to(0);
    book = newBook();
    decide(book::begin);
    assertThat(stable(session(1, 3)).numbers()).containsExactly(1L, 2L, 3L);
    StillCaller asks = await(1, 2);
    to(0).gotAll();
    assertThat(((Applied) asks.next()).updates()).hasSize(2);
  }

  @Test
  void whatCannotBePlacedHoldsBackWhatComesAfterIt() throws Exception {
    decide(() -> holds.hold(new ActorId(TABLE, 1)));
    Stable held = stable(session(1, List.of(updateOf(0), updateOf(1), updateOf(0))));
    assertThat(held.numbers()).containsExactly(1L);
    assertThat(held.withheld().orElseThrow().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    decide(() -> holds.release(new ActorId(TABLE, 1)));
    assertThat(stable(session(2, List.of(updateOf(1), updateOf(0)))).numbers())
        .containsExactly(2L, 3L);
  }

  @Test
  void updatesOfAHeldActorGetTheirPlacesOnceItIsReleased() throws Exception {
    decide(() -> holds.hold(new ActorId(TABLE, 0)));
    StillCaller first = session(1, 2);
    StillCaller second = session(3, 1);
    StillCaller plain = submit("a", 0);
    assertThat(first.hearsNothing()).isTrue();
    assertThat(second.hearsNothing()).isTrue();
    decide(() -> holds.release(new ActorId(TABLE, 0)));
    assertThat(stable(first).numbers()).containsExactly(1L, 2L);
    assertThat(stable(second).numbers()).containsExactly(3L);
    for (int got = 0; got < 4; ) {
      Sent message = to(0);
      message.gotAll();
      got += message.numbers().size();
    }
    assertThat(plain.next()).isInstanceOf(Happened.class);
  }

  @Test
  void whoWaitsLongForAHeldActorIsToldSo() throws Exception {
    decide(() -> holds.hold(new ActorId(TABLE, 0)));
    StillCaller client = session(1, 2);
    StillCaller plain = submit("a", 0);
    while (client.hearsNothing() || plain.hearsNothing()) {
      decide(book::check);
    }
    assertThat(stable(client).withheld().orElseThrow().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(plain.next()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void aHoldIsToldOnceNothingOfItsActorIsUnderWay() throws Exception {
    BlockingQueue<ActorId> settled = new LinkedBlockingQueue<>();
    submit("a", 0, 1);
    decide(
        () -> {
          holds.whenSettled(settled::add);
          holds.hold(new ActorId(TABLE, 0));
        });
    to(0).gotAll();
    decide(() -> {});
    assertThat(settled).as("actor 1 has not got it").isEmpty();
    to(1).gotAll();
    assertThat(settled.poll(20, TimeUnit.SECONDS)).isEqualTo(new ActorId(TABLE, 0));
  }

  @Test
  void whoeverWaitsForADroppedTableIsTold() throws Exception {
    StillCaller client = submit("a", 0);
    to(0);
    record(new ControlRecord.TableDropped(TABLE));
    decide(() -> book.dropped(TABLE));
    assertThat(client.next()).isEqualTo(ErrorCode.NOT_FOUND);
    requireRefused(ErrorCode.NOT_FOUND, () -> submit("b", 0));
  }
}
