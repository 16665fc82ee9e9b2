package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.register.RegisterEngine;
import io.uniserve.runtime.register.RegisterEngine.Boast;
import io.uniserve.runtime.register.RegisterEngine.Put;
import io.uniserve.runtime.register.RegisterEngine.Value;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Updates that wait for an actor are applied together, and each has its own outcome. */
@Timeout(60)
class UpdateQueueTest {
  private static final Partitioner ONE = new Partitioner.Hash(1);
  private static final int MANY = 20;

  @TempDir Path directory;
  private final RegisterEngine engine = new RegisterEngine();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ReplicaFixture fixture;
  private Replica primary;
  private Replica copy;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), engine);
    TableDefinition table =
        new TableDefinition(
            "t", RegisterEngine.NAME, ONE, 2, Durability.NONE, Consistency.EVENTUAL, Map.of());
    primary = fixture.copy(new ActorId(1, 0), table);
    primary.create(0);
    primary.lead(1, () -> true);
    copy = fixture.copy(new ActorId(1, 0), table);
    copy.create(0);
    copy.follow(1, () -> true);
  }

  @AfterEach
  void close() {
    engine.release();
    threads.close();
    fixture.close();
  }

  private static Value value(int i, String value) {
    return new Value("k" + i, value);
  }

  private Future<AppliedKey> put(String key, Value value) {
    return update(key, Payload.of(RegisterEngine.NAME, new Put()), value);
  }

  private Future<AppliedKey> update(String key, Payload function, Value value) {
    return threads.submit(
        () ->
            primary.update(
                0,
                ONE,
                UpdateKey.of(key),
                function,
                Payload.of(RegisterEngine.NAME, List.of(value))));
  }

  /** Begins an update during which others come. */
  private Future<AppliedKey> hold() throws InterruptedException {
    return hold("first");
  }

  private Future<AppliedKey> hold(String key) throws InterruptedException {
    engine.hold();
    Future<AppliedKey> first = put(key, value(0, "0"));
    engine.awaitHeld();
    return first;
  }

  private void awaitWaiting(int waiting) {
    while (primary.updatesWaiting() < waiting) {
      Thread.onSpinWait(); // until the threads that send them have run
    }
  }

  private void release(int waiting) {
    awaitWaiting(waiting);
    engine.release();
  }

  private Map<String, String> values(Replica replica) {
    Shared<?> live = replica.reads().acquire(0).orElseThrow();
    try {
      return Map.copyOf(((RegisterEngine.Register) live.value()).values());
    } finally {
      live.release();
    }
  }

  @Test
  void whatWaitsIsAppliedTogetherAndEachHasItsOutcome() throws Exception {
    Future<AppliedKey> first = hold();
    List<Future<AppliedKey>> others =
        IntStream.range(1, MANY)
            .mapToObj(i -> put("key-" + i, value(i, i == 7 ? "refused" : "v")))
            .toList();
    release(MANY - 1);
    assertThat(first.get().position()).isEqualTo(new Position(1, 1));
    List<Long> sequences = new ArrayList<>();
    for (int i = 1; i < MANY; i++) {
      Future<AppliedKey> one = others.get(i - 1);
      if (i == 7) {
        assertThatThrownBy(one::get).hasMessageContaining("no value 'refused'");
      } else {
        sequences.add(one.get().position().sequence());
        assertThat(one.get().answers()).hasSize(1);
      }
    }
    assertThat(sequences)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(2, MANY).mapToObj(i -> (long) i).toList());
    assertThat(engine.calls()).as("the sizes of calls").containsExactly(1, MANY - 1);
    assertThat(values(primary)).hasSize(MANY - 1).doesNotContainKey("k7");
  }

  @Test
  void aCopyAppliesThemTogetherToo() throws Exception {
    hold();
    List<Future<AppliedKey>> others =
        IntStream.range(1, MANY).mapToObj(i -> put("key-" + i, value(i, "v"))).toList();
    release(MANY - 1);
    for (Future<AppliedKey> one : others) {
      one.get();
    }
    engine.calls().clear();
    List<LogEntry> entries = primary.after(1, Position.START, 1 << 20).orElseThrow();
    copy.applyReplicated(1, entries);
    assertThat(engine.calls()).containsExactly(MANY);
    copy.reads().caughtUp(() -> true);
    assertThat(values(copy)).isEqualTo(values(primary));
    assertThat(copy.position()).isEqualTo(primary.position());
  }

  @Test
  void aCopyThatAnswersOtherwiseIsNotOneOfTheActorAnyMore() throws Exception {
    put("key", value(1, "v")).get();
    put("other", value(1, "w")).get();
    List<LogEntry> entries =
        new ArrayList<>(primary.after(1, Position.START, 1 << 20).orElseThrow());
    LogEntry.Update second = (LogEntry.Update) entries.get(1);
    entries.set(1, second.answered(((LogEntry.Update) entries.get(0)).answer()));
    assertThatThrownBy(() -> copy.applyReplicated(1, entries))
        .hasMessageContaining("which the primary applied");
    assertThat(copy.held()).isFalse();
    copy.reset();
    copy.open();
    copy.follow(1, () -> true);
    copy.applyReplicated(1, primary.after(1, copy.position(), 1 << 20).orElseThrow());
    copy.reads().caughtUp(() -> true);
    assertThat(values(copy)).isEqualTo(values(primary));
  }

  @Test
  void whatIsSentTwiceIsAppliedOnce() throws Exception {
    hold();
    List<Future<AppliedKey>> same =
        IntStream.range(0, 5).mapToObj(i -> put("same", value(1, "v"))).toList();
    release(5);
    for (Future<AppliedKey> one : same) {
      assertThat(one.get()).isEqualTo(same.getFirst().get());
    }
    assertThat(primary.position()).isEqualTo(new Position(1, 2));
  }

  /** The copy is opened again after the failure; none of the updates is applied. */
  @Test
  void aDefectFailsAllOfThemAndThenOnlyItself() throws Exception {
    hold();
    Payload defect = Payload.of(RegisterEngine.NAME, new Boast(10, 100));
    Future<AppliedKey> bad = update("bad", defect, value(1, "v"));
    Future<AppliedKey> good = put("good", value(2, "v"));
    release(2);
    for (Future<AppliedKey> one : List.of(bad, good)) {
      assertThat(failure(one).retryable()).isTrue();
      assertThat(failure(one)).hasMessageContaining("one of 2 updates");
    }
    primary.reset();
    primary.open();
    primary.lead(1, () -> true);
    assertThat(values(primary)).containsOnlyKeys("k0");

    hold("again");
    bad = update("bad", defect, value(1, "v"));
    awaitWaiting(1);
    good = put("good", value(2, "v"));
    release(2);
    assertThat(failure(bad).retryable()).as("its own failure").isFalse();
    assertThat(failure(good)).isNotNull();
  }

  private static UniserveException failure(Future<AppliedKey> update) throws InterruptedException {
    try {
      update.get();
      return null;
    } catch (ExecutionException e) {
      return (UniserveException) e.getCause();
    }
  }
}
