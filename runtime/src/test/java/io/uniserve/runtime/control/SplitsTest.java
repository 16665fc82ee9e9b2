package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.control.raft.RaftMember.Outcome;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How often a split is tried, how long it is waited for, and what is said in the end. */
@Timeout(60)
class SplitsTest {
  private static final ActorId ACTOR = new ActorId(1, 0);
  private static final ActorId OTHER = new ActorId(1, 1);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration MOMENT = Duration.ofNanos(1);

  private final StillClock clock = new StillClock();

  /** The first question of each attempt, which waits for its answer. */
  private final BlockingQueue<Transport.ReplyObserver> attempts = new LinkedBlockingQueue<>();

  /** The actors whose attempts have ended. */
  private final BlockingQueue<ActorId> ended = new LinkedBlockingQueue<>();

  private final BlockingQueue<SplitGivenUp> givenUp = new LinkedBlockingQueue<>();
  private Decisions decisions;
  private Splits splits;

  private final class Servers implements Transport {
    @Override
    public Registration listen(Address self, Handler handler) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      attempts.add(replies);
      return () -> {};
    }
  }

  /** Whatever is proposed is committed at once. */
  private final class Agreement implements Quorum {
    @Override
    public void propose(byte[] batch, Outcome outcome) {
      ((LogOperation.Batch) LogOperation.decode(batch))
          .decisions().stream()
              .flatMap(decision -> decision.records().stream())
              .filter(SplitGivenUp.class::isInstance)
              .forEach(record -> givenUp.add((SplitGivenUp) record));
      outcome.known(Optional.empty());
    }

    @Override
    public void confirmLeadership(Outcome outcome) {
      outcome.known(Optional.empty());
    }

    @Override
    public List<Member> members() {
      return List.of();
    }

    @Override
    public void reignEnded(long reign) {
      throw new IllegalStateException("reign " + reign + " has ended");
    }
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    ProductionEnvironment environment =
        new ProductionEnvironment(
            clock,
            new ProductionThreads(),
            new FileStorage(directory),
            ProductionEnvironment.unseeded(),
            new Servers());
    decisions = new Decisions(environment, new Agreement(), new ReplicatedState(), 1);
    RouterSettings settings = RouterSettings.DEFAULT;
    Elections elections = new Elections(environment, decisions, settings, id -> {});
    Engines engines = new Engines(List.of(new StillEngine(true)));
    ReshapeTurns turns = new ReshapeTurns(clock);
    splits = new Splits(environment, decisions, settings, engines, elections, turns, ended::add);
    decisions.start();
    TableDefinition table =
        new TableDefinition(
            "t", StillEngine.NAME, new Partitioner.Hash(2), 1, Durability.NONE, Map.of());
    record(
        new ServerJoined("s1", new Address("s1"), 1),
        new ServerJoined("s2", new Address("s2"), 1),
        new ControlRecord.TableCreated(1, table, List.of(List.of("s1"), List.of("s2"))),
        new CopyReady(ACTOR, "s1"),
        new CopyReady(OTHER, "s2"));
  }

  @AfterEach
  void end() {
    decisions.stop();
    decisions.awaitEnd();
  }

  /** On the deciding thread, as all decisions. */
  private <T> T decide(Supplier<T> decision) {
    CompletableFuture<T> done = new CompletableFuture<>();
    decisions.submit(
        () -> {
          try {
            done.complete(decision.get());
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done.join();
  }

  private void record(ControlRecord... records) {
    decide(
        () -> {
          decisions.record(List.of(records));
          return true;
        });
  }

  private void ask(ActorId id) {
    decide(() -> splits.request(new SplitActor("t", id.number(), Optional.empty())));
  }

  /** Whether the actor is not to be split any more. */
  private boolean advance(ActorId id) {
    return decide(() -> splits.advance(id));
  }

  private boolean isToBeSplit(ActorId id) {
    return decide(() -> decisions.state().actor(id).orElseThrow().splits());
  }

  private void failAttempt(ActorId id, UniserveException why) throws InterruptedException {
    assertThat(advance(id)).isFalse();
    Transport.ReplyObserver attempt = attempts.poll(20, TimeUnit.SECONDS);
    assertThat(attempt).as("an attempt was made").isNotNull();
    attempt.failed(why);
    assertThat(ended.poll(20, TimeUnit.SECONDS)).isEqualTo(id);
  }

  private static UniserveException noRoom(int attempt) {
    return new UniserveException(ErrorCode.UNAVAILABLE, "no room, attempt " + attempt);
  }

  /** An attempt would have recorded once more that it is to be split. */
  private void assertNothingBegins(ActorId id) {
    long version = decide(() -> decisions.state().version());
    assertThat(advance(id)).isFalse();
    assertThat(decide(() -> decisions.state().version())).isEqualTo(version);
  }

  /** Its record is committed after it is decided. */
  private void assertGivenUp(String why) throws InterruptedException {
    assertThat(advance(ACTOR)).isTrue();
    assertThat(isToBeSplit(ACTOR)).isFalse();
    assertThat(givenUp.poll(20, TimeUnit.SECONDS)).isEqualTo(new SplitGivenUp(ACTOR, why));
    assertThat(givenUp).isEmpty();
  }

  @Test
  void isTriedTwentyTimesThenGivenUpForTheLastReason() throws Exception {
    ask(ACTOR);
    for (int attempt = 1; attempt <= 20; attempt++) {
      assertThat(givenUp).isEmpty();
      failAttempt(ACTOR, noRoom(attempt));
      clock.advance(PAUSE);
    }
    assertGivenUp("no room, attempt 20");

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
    assertGivenUp("it has but one key");
  }

  @Test
  void oneIsSplitAtATime() throws Exception {
    ask(ACTOR);
    ask(OTHER);
    assertThat(advance(ACTOR)).isFalse();
    assertNothingBegins(OTHER);
    attempts.take().failed(new UniserveException(ErrorCode.UNSUPPORTED, "it has but one key"));
    assertThat(ended.take()).isEqualTo(ACTOR);
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
    assertGivenUp("it has no primary");
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
    assertGivenUp("a copy is being moved");
  }

  @Test
  void whileItsTableGetsAnotherSchemaItIsNotTried() throws Exception {
    TableDefinition now = decide(() -> decisions.state().requireTable("t").definition());
    ask(ACTOR);
    record(new ControlRecord.TableRedefined(1, now, Optional.of(now)));
    assertNothingBegins(ACTOR);
    clock.advance(LONG.plus(MOMENT));
    assertGivenUp("the schema of its table is being changed");
  }
}
