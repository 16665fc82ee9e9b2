package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.ActorId;
import io.uniserve.api.Answer;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.checkpoint.ReplicaFiles;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaTest {
  private static final String ENGINE = "counter";

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private Replica replica;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new CounterEngine());
    TableDefinition table =
        new TableDefinition(
            "counters", ENGINE, new Partitioner.Hash(1), 2, Durability.NONE, Map.of());
    replica = fixture.copy(new ActorId(1, 0), table);
    replica.create(0);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aCheckpointOlderThanWhatWasReadIsNotReadUntilTheReplicaIsLevel() throws IOException {
    replica.lead(1, () -> true);
    add("first");
    Path older = checkpoint();
    Position shown = add("second");
    assertThat(read()).hasValue(2L);

    replica.follow(2, () -> true);
    replica.reads().caughtUp(() -> true);
    assertThat(read()).as("the new primary has the same").hasValue(2L);

    replica.install(older, replica.files()::replaceAll);
    assertThat(replica.position()).isLessThan(shown);
    assertThat(read()).isEmpty();
    assertThat(replica.reads().versions()).isEmpty();
    assertThat(replica.statusWord()).isEqualTo("loading");

    replica.reads().caughtUp(() -> true);
    assertThat(read()).hasValue(1L);
    assertThat(replica.reads().versions()).isPresent();
  }

  @Test
  void aReplicaThatIsClosedLeavesNothingBehindWhateverWasUnderWay() throws IOException {
    Checkpoint read = replica.checkpoints().pinned();
    replica.close();
    replica.files().deleteEverything();

    replica.files().unpin(read);
    replica.split().makeReady(read, new Partitioner.Hash(1), 0);
    assertThatThrownBy(() -> replica.checkpoints().pinned())
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    assertThat(fixture.directory(0)).doesNotExist();
  }

  @Test
  void aDamagedCheckpointIsWrittenAnewFromWhatIsOpen() throws IOException {
    replica.lead(1, () -> true);
    add("first");
    flip(newest().engineFiles().resolve("count")); // there was no update since
    assertThatThrownBy(() -> CheckpointSums.check(newest().directory()))
        .isInstanceOf(DamagedCopyException.class);
    for (int time = 0; time < 12; time++) {
      flip(newest().engineFiles().resolve("count"));
      assertThat(replica.checkpoints().renew()).isTrue();
      CheckpointSums.check(newest().directory());
    }
    assertThat(newest().position()).isEqualTo(replica.position());
    reopen();
    assertThat(read()).hasValue(1L);
    add("second");
    reopen();
    assertThat(read()).hasValue(2L);
  }

  @Test
  void whatIsCreatedAnewIsNotReplacedByWhatWasGivenUp() throws IOException {
    replica.lead(1, () -> true);
    add("first");
    add("second");
    assertThat(replica.checkpoints().renew()).isTrue();
    replica.reset();
    replica.create(0);
    replica.lead(2, () -> true);
    add("third");
    reopen(2);
    assertThat(read()).hasValue(1L);
  }

  @Test
  void aDamagedLogIsReplacedByACheckpointOfWhatIsOpen() throws IOException {
    replica.lead(1, () -> true);
    add("first");
    add("second");
    flip(log());
    replica.checkpoints().renew();
    add("third");
    reopen();
    assertThat(read()).hasValue(3L);
  }

  @Test
  void aDamagedLogIsNotCutOffButRefused() throws IOException {
    replica.lead(1, () -> true);
    add("first");
    add("second");
    flip(log());
    replica.reset();
    assertThatThrownBy(replica::open).isInstanceOf(DamagedCopyException.class);
    assertThat(replica.held()).isFalse();
    assertThat(replica.seal(2)).as("it does not vote with what it has lost").isEmpty();
  }

  private Checkpoint newest() throws IOException {
    return replica.files().newest().orElseThrow();
  }

  private Path log() throws IOException {
    try (Stream<Path> files = Files.list(replica.files().log())) {
      return files.findFirst().orElseThrow();
    }
  }

  private static void flip(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 4] ^= 1;
    Files.write(file, bytes);
  }

  private void reopen() throws IOException {
    reopen(1);
  }

  private void reopen(long epoch) throws IOException {
    replica.reset();
    assertThat(replica.open()).isTrue();
    replica.lead(epoch, () -> true);
  }

  private Position add(String key) {
    return replica
        .update(
            0,
            new Partitioner.Hash(1),
            UpdateKey.of(key),
            Payload.of(ENGINE, new Add()),
            Payload.of(ENGINE, List.of(new One(key))))
        .position();
  }

  /** Returns the present data, as it would come from elsewhere. */
  private Path checkpoint() throws IOException {
    Checkpoint newest = replica.checkpoints().pinned();
    Path begun = replica.files().begin();
    Files.createDirectories(begun.resolve("engine"));
    ReplicaFiles.copyInto(newest, begun.resolve("engine"), false);
    CheckpointMeta.read(newest.directory()).write(begun);
    CheckpointSums.write(begun);
    replica.files().unpin(newest);
    return begun;
  }

  /** Returns what an operator would read; empty if it may not. */
  private Optional<Long> read() {
    Optional<Shared<Actor>> live = replica.reads().acquire(0);
    Optional<Long> count = live.map(one -> ((Counter) one.value()).count);
    live.ifPresent(Shared::release);
    return count;
  }

  private record One(String key) implements PartitionedRecord {
    @Override
    public PartitionKey partitionKey() {
      return PartitionKey.of(key);
    }
  }

  private record Add() implements UpdateFunction.Eventual<Counter, One> {
    @Override
    public Answer update(Counter actor, List<One> records) {
      actor.count += records.size();
      return Answer.NONE;
    }
  }

  private static final class Counter implements Actor {
    private long count;

    @Override
    public void serialize(Path directory) throws IOException {
      Files.writeString(directory.resolve("count"), Long.toString(count));
    }

    @Override
    public Usage usage() {
      return Usage.NONE;
    }

    @Override
    public void close() {
      // nothing but memory
    }
  }

  private static final class CounterEngine implements Engine<Counter> {
    @Override
    public String name() {
      return ENGINE;
    }

    @Override
    public Counter create(ActorContext context) {
      return new Counter();
    }

    @Override
    public Counter deserialize(ActorContext context) throws IOException {
      Counter counter = new Counter();
      counter.count = Long.parseLong(Files.readString(context.directory().resolve("count")));
      return counter;
    }

    @Override
    public List<Class<? extends Record>> types() {
      return List.of(One.class, Add.class);
    }
  }
}
