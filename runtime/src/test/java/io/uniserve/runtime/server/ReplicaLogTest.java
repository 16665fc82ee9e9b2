package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaLogTest {
  private static final Payload NOTHING = Payload.of("none", List.of());

  private final LogEntryCodec codec = new LogEntryCodec(new Engines(List.of(new NoEngine())));

  @TempDir private Path directory;

  @Test
  void keepsEntriesThatFollowTwoCheckpointsAtOnePosition() throws IOException {
    try (ReplicaLog log = open(Position.START, new ArrayList<>())) {
      log.rotate();
      log.checkpointed(log.last());
      log.rotate();
      log.checkpointed(log.last());
      log.append(entry(1));
      log.rotate();
      log.checkpointed(log.last());
      log.append(entry(2));
      log.append(entry(3));
    }
    List<LogEntry> entries = new ArrayList<>();
    open(new Position(1, 1), entries).close();
    assertThat(entries).extracting(entry -> entry.position().sequence()).containsExactly(2L, 3L);
  }

  @Test
  void whatFollowsACutSegmentIsDroppedAndTheLogGoesOnBeforeIt() throws IOException {
    writeFiveInTwoSegments(false);
    cutFirstSegment();
    List<LogEntry> entries = new ArrayList<>();
    try (ReplicaLog log = open(Position.START, entries)) {
      assertThat(sequences(entries)).containsExactly(1L, 2L);
      log.append(entry(3));
    }
    entries.clear();
    open(Position.START, entries).close();
    assertThat(sequences(entries)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void nobodyGoesOnFromBeforeAGapThatTheCheckpointCovers() throws IOException {
    writeFiveInTwoSegments(true);
    cutFirstSegment();
    List<LogEntry> entries = new ArrayList<>();
    try (ReplicaLog log = open(new Position(1, 3), entries)) {
      assertThat(sequences(entries)).containsExactly(4L, 5L);
      assertThat(log.contains(new Position(1, 2))).isFalse();
      assertThat(log.contains(new Position(1, 3))).isTrue();
      assertThat(sequences(log.after(new Position(1, 3), 1_000_000))).containsExactly(4L, 5L);
    }
  }

  /** Entries 1 to 3, perhaps a checkpoint, and entries 4 and 5. */
  private void writeFiveInTwoSegments(boolean checkpoint) throws IOException {
    try (ReplicaLog log = open(Position.START, new ArrayList<>())) {
      for (long sequence = 1; sequence <= 3; sequence++) {
        log.append(entry(sequence));
      }
      log.rotate();
      if (checkpoint) {
        log.checkpointed(log.last());
      }
      log.append(entry(4));
      log.append(entry(5));
    }
  }

  /** As a crash of the machine does, since a segment is not forced. */
  private void cutFirstSegment() throws IOException {
    Path first = directory.resolve("log").resolve("00000000000000000001.log");
    byte[] bytes = Files.readAllBytes(first);
    Files.write(first, Arrays.copyOf(bytes, bytes.length - 1));
  }

  private static List<Long> sequences(List<LogEntry> entries) {
    return entries.stream().map(entry -> entry.position().sequence()).toList();
  }

  private ReplicaLog open(Position base, List<LogEntry> entries) throws IOException {
    return ReplicaLog.open(
        new FileStorage(directory), directory.resolve("log"), codec, base, entries);
  }

  private static LogEntry entry(long sequence) {
    return new LogEntry(new Position(1, sequence), "key-" + sequence, NOTHING, NOTHING);
  }

  private static final class NoEngine implements Engine<Actor> {
    @Override
    public String name() {
      return "none";
    }

    @Override
    public Actor create(ActorContext context) {
      throw new UnsupportedOperationException("no actors");
    }

    @Override
    public Actor deserialize(ActorContext context) {
      throw new UnsupportedOperationException("no actors");
    }

    @Override
    public List<Class<? extends Record>> types() {
      return List.of();
    }
  }
}
