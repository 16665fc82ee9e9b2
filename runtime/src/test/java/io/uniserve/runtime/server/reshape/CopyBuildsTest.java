package io.uniserve.runtime.server.reshape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.ReplicaFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies made by threads that run when the test says so. */
@Timeout(60)
class CopyBuildsTest {
  private static final ActorId ACTOR = new ActorId(1, 2);
  private static final Message REQUEST = new Request(1);

  private record Request(int attempt) implements Message {}

  @TempDir private Path directory;
  private final Later threads = new Later();
  private final CopyBuilds makings = new CopyBuilds(threads);
  private ReplicaFixture fixture;
  private List<Replica> copies;

  /** Threads that keep their tasks until the test runs them. */
  private static final class Later implements Threads {
    private final Queue<Runnable> begun = new ArrayDeque<>();
    private Runnable whileOneBegins = () -> {};

    @Override
    public Thread start(String name, Runnable body) {
      begun.add(body);
      Runnable once = whileOneBegins;
      whileOneBegins = () -> {};
      once.run();
      return Thread.currentThread();
    }

    void runNext() {
      begun.remove().run();
    }

    @Override
    public Workers workers(String name, int count) {
      throw new UnsupportedOperationException("nothing is computed");
    }

    @Override
    public Signal signal() {
      throw new UnsupportedOperationException("nobody waits");
    }

    @Override
    public long cpuNanos() {
      return 0;
    }
  }

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new StillClock(), new StillEngine(true));
    copies = fixture.copies();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Replica copy() throws IOException {
    TableDefinition table =
        new TableDefinition(
            "t", StillEngine.NAME, new Partitioner.Hash(3), 1, Durability.NONE, Map.of());
    return fixture.copy(ACTOR, table);
  }

  private boolean make(Message request) {
    return makings.make(ACTOR, request, this::copy);
  }

  /** Returns whether a replica is closed, since it never opens again. */
  private static boolean isClosed(Replica copy) {
    try {
      return copy.open(); // it has no files, so it stays as it is
    } catch (UniserveException e) {
      return true;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoeverAsksAsksAgainUntilItIsMade() {
    assertThat(make(REQUEST)).isFalse();
    assertThat(makings.isMaking(ACTOR)).isTrue();
    assertThat(makings.take(ACTOR)).isEmpty();
    assertThat(make(REQUEST)).isFalse();

    threads.runNext();
    assertThat(make(REQUEST)).isTrue();
    assertThat(makings.isMaking(ACTOR)).isFalse();
    assertThat(makings.take(ACTOR)).containsSame(copies.getFirst());
    assertThat(makings.take(ACTOR)).isEmpty();
    assertThat(isClosed(copies.getFirst())).isFalse();
    assertThat(threads.begun).isEmpty();
  }

  /**
   * Two threads ask at once. The second asks while the first begins, and finds nothing unless it
   * waits.
   */
  @Test
  void ofTwoThatAskAtOnceOneBegins() {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Thread second = Thread.ofPlatform().unstarted(() -> answer.complete(make(REQUEST)));
    threads.whileOneBegins =
        () -> {
          second.start();
          while (second.getState() != Thread.State.WAITING && !answer.isDone()) {
            Thread.onSpinWait();
          }
        };
    assertThat(make(REQUEST)).isFalse();
    assertThat(answer.join()).isFalse();
    assertThat(threads.begun).hasSize(1);
  }

  @Test
  void aFailureIsNeverReadAsSuccess() {
    CopyBuilds.Body failing =
        () -> {
          throw new IOException("no room");
        };
    assertThat(makings.make(ACTOR, REQUEST, failing)).isFalse();
    threads.runNext();
    assertFailed("no room");
    assertFailed("no room");
    assertThat(threads.begun).as("the same is not tried again").isEmpty();
  }

  @Test
  void norIsAnError() {
    CopyBuilds.Body failing =
        () -> {
          throw new StackOverflowError("of an engine");
        };
    assertThat(makings.make(ACTOR, REQUEST, failing)).isFalse();
    assertThatThrownBy(threads::runNext).isInstanceOf(StackOverflowError.class);
    assertFailed("of an engine");
  }

  @Test
  void whatSaysThatARetryIsSafeIsToldAsItIs() {
    UniserveException busy = new UniserveException(ErrorCode.OVERLOADED, "busy");
    assertThat(makings.make(ACTOR, REQUEST, () -> raise(busy))).isFalse();
    threads.runNext();
    assertThatThrownBy(() -> make(REQUEST)).isSameAs(busy);
  }

  private static Replica raise(UniserveException why) {
    throw why;
  }

  private void assertFailed(String why) {
    assertThatThrownBy(() -> make(REQUEST))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(why)
        .extracting(e -> ((UniserveException) e).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(makings.isMaking(ACTOR)).isFalse();
    assertThat(makings.take(ACTOR)).isEmpty();
  }

  @Test
  void anotherAttemptWaitsForTheEndOfTheOneBefore() {
    make(REQUEST);
    assertThatThrownBy(() -> make(new Request(2))).hasMessageContaining("not deleted yet");
    threads.runNext();
    assertThat(make(new Request(2))).isFalse();
    assertThat(isClosed(copies.getFirst())).as("the one before").isTrue();

    threads.runNext();
    assertThat(makings.take(ACTOR)).containsSame(copies.getLast());
    assertThat(isClosed(copies.getLast())).isFalse();
  }

  @Test
  void whatIsMadeAndNotTakenIsClosed() {
    make(REQUEST);
    threads.runNext();
    makings.close();
    assertThat(isClosed(copies.getFirst())).isTrue();
    assertThat(makings.take(ACTOR)).isEmpty();
  }

  @Test
  void whatIsMadeAfterTheEndIsClosed() {
    make(REQUEST);
    makings.close();
    threads.runNext();
    assertThat(isClosed(copies.getFirst())).isTrue();
    assertThat(makings.take(ACTOR)).isEmpty();
  }

  @Test
  void whatIsOverIsForgottenAndClosedUnlessItIsWanted() {
    List<ActorId> ended = new ArrayList<>();
    make(REQUEST);
    makings.forget(request -> true, (id, request) -> false, (id, request) -> ended.add(id));
    assertThat(ended).as("it is under way").isEmpty();

    threads.runNext();
    makings.forget(request -> false, (id, request) -> false, (id, request) -> ended.add(id));
    makings.forget(request -> true, (id, request) -> true, (id, request) -> ended.add(id));
    assertThat(ended).isEmpty();
    assertThat(isClosed(copies.getFirst())).isFalse();

    makings.forget(request -> true, (id, request) -> false, (id, request) -> ended.add(id));
    assertThat(ended).containsExactly(ACTOR);
    assertThat(isClosed(copies.getFirst())).isTrue();
    assertThat(makings.take(ACTOR)).isEmpty();
  }
}
