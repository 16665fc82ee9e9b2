package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.CheckpointSessions;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ReplicationMessage.FileInfo;
import io.uniserve.runtime.wire.ReplicationMessage.ReadFile;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy that begins with a checkpoint of its primary. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BegunCopyTest {
  private static final ActorId ID = new ActorId(1, 0);
  private static final Partitioner WHOLE = new Partitioner.Hash(1);

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private final SystemClock clock = new SystemClock();
  private final CheckpointSessions sessions = new CheckpointSessions(clock);
  private Replica primary;
  private Replica copy;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, clock, new WordsEngine());
    primary = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SERIALIZABLE));
    primary.create(0);
    primary.lead(1, () -> true);
    copy = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SERIALIZABLE));
  }

  @AfterEach
  void close() {
    fixture.close();
    clock.close();
  }

  @Test
  void beginsWhileATransactionIsUnderWayThatWaitsForIt() throws IOException {
    prepare("first", "a");
    primary.commit(List.of(UpdateKey.of("first")), new Commitment("first", 1, 1));
    prepare("second", "b");

    begin();
    catchUp();
    assertThat(copy.position()).isEqualTo(primary.position());
    assertThat(copy.undecided())
        .map(OpenTransaction::prepared)
        .map(LogEntry.Prepare::key)
        .contains(UpdateKey.of("second"));
    copy.reads().caughtUp(() -> true);
    assertThat(WordsEngine.read(copy, 0)).as("before the outcome is known").isEmpty();

    primary.commit(List.of(UpdateKey.of("second")), new Commitment("second", 2, 2));
    catchUp();
    copy.reads().caughtUp(() -> true);
    assertThat(WordsEngine.read(copy, 0)).contains(List.of("a", "b"));
  }

  @Test
  void beginsWithTheNewestWhenNothingIsUnderWay() throws IOException {
    prepare("first", "a");
    primary.commit(List.of(UpdateKey.of("first")), new Commitment("first", 1, 1));
    Position newest = primary.position();
    begin();
    assertThat(copy.position()).isEqualTo(newest);
  }

  private void prepare(String transaction, String... words) {
    primary.prepare(WordsEngine.add(ID, 0, transaction, transaction, words), WHOLE);
  }

  /** Begins the copy as a server without data would. */
  private void begin() throws IOException {
    ReplicationMessage.Checkpoint given = sessions.open(primary);
    Path begun = copy.files().begin();
    for (FileInfo file : given.files()) {
      Path target = begun.resolve(file.name());
      Files.createDirectories(target.getParent());
      ReadFile whole = new ReadFile(given.session(), file.name(), 0, (int) file.sizeBytes());
      ByteBuffer bytes = sessions.read(whole).bytes();
      byte[] content = new byte[bytes.remaining()];
      bytes.get(content);
      Files.write(target, content);
    }
    Files.createDirectories(begun.resolve("engine"));
    copy.install(begun, copy.files()::replaceAll);
    sessions.close(given.session());
    copy.follow(1, () -> true);
  }

  private void catchUp() throws IOException {
    copy.applyReplicated(1, primary.after(1, copy.position(), 1 << 20).orElseThrow());
  }
}
