package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaLogTest {
  private static final Payload NOTHING = Payload.of(StillEngine.NAME, List.of());

  private final LogEntryCodec codec = new Engines(List.of(new StillEngine(false))).logEntries();

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
  void takesBackTheNewestEntryAlsoOfALogThatWasJustOpened() throws IOException {
    fill(2);
    try (ReplicaLog log = open(Position.START, new ArrayList<>())) {
      log.dropLast(at(1));
      assertThat(log.last()).isEqualTo(at(1));
      log.append(entry(2));
      assertThat(log.after(Position.START, 1000)).hasSize(2);
    }
  }

  @Test
  void doesNotGoOnFromAPositionBeforeEntriesThatWereLost() throws IOException {
    fill(6);
    cutTo(1, 2);
    try (ReplicaLog log = open(at(3), new ArrayList<>())) {
      assertThat(log.contains(at(1))).as("3 comes after it and is lost").isFalse();
      assertThat(log.after(at(3), 1000)).hasSize(3);
    }
  }

  @Test
  void aLogThatLacksEntriesInTheMiddleIsRefusedAndLeftAsItIs() throws IOException {
    fill(6);
    cutTo(1, 2);
    byte[] before = bytesOf(1);
    assertRefused(at(1), "a log has a gap: entry 4 follows " + at(2));
    assertThat(bytesOf(1)).isEqualTo(before);
    assertThat(files()).as("nothing is deleted").hasSize(2);
  }

  @Test
  void whatIsUnfinishedAtTheEndIsCutOff() throws IOException {
    fill(6);
    cutTo(4, 1, 5);
    List<LogEntry> entries = new ArrayList<>();
    try (ReplicaLog log = open(Position.START, entries)) {
      assertThat(entries).extracting(LogEntry::position).endsWith(at(4)).hasSize(4);
      log.append(entry(5));
    }
    entries.clear();
    open(Position.START, entries).close();
    assertThat(entries).extracting(LogEntry::position).endsWith(at(5)).hasSize(5);
  }

  @Test
  void damageBeforeSoundEntriesIsToldFromAnUnfinishedEnd() throws IOException {
    fill(6);
    flip(4);
    byte[] before = bytesOf(4);
    assertRefused(Position.START, "damaged");
    assertThat(bytesOf(4)).isEqualTo(before);
  }

  @Test
  void theEndOfASegmentThatWasForcedIsNeverUnfinished() throws IOException {
    fill(6);
    cutTo(1, 2, 5);
    assertRefused(Position.START, "entry 4 follows");
  }

  @Test
  void damageOfWhatTheCheckpointHasIsNoMatter() throws IOException {
    fill(6);
    flip(1);
    List<LogEntry> entries = new ArrayList<>();
    try (ReplicaLog log = open(at(3), entries)) {
      assertThat(log.last()).isEqualTo(at(6));
      assertThat(log.contains(at(2))).isFalse();
    }
    assertThat(entries).hasSize(3);
  }

  private void assertRefused(Position base, String why) {
    assertThatThrownBy(() -> open(base, new ArrayList<>()))
        .isInstanceOf(DamagedCopyException.class)
        .hasMessageContaining(why)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void aFollowerIsNotSentMoreThanItCanTakeBeyondOneEntry() throws IOException {
    try (ReplicaLog log = open(Position.START, new ArrayList<>())) {
      for (long sequence = 1; sequence <= 4; sequence++) {
        log.append(entry(sequence));
      }
      assertThat(log.after(Position.START, 1))
          .extracting(LogEntry::position)
          .containsExactly(at(1));
      assertThat(log.after(at(2), 1)).extracting(LogEntry::position).containsExactly(at(3));
    }
  }

  @Test
  void anEmptyLogContainsWhereItBeginsAlone() throws IOException {
    try (ReplicaLog log = open(Position.START, new ArrayList<>())) {
      assertThat(log.contains(Position.START)).isTrue();
      assertThat(log.after(Position.START, 1000)).isEmpty();
      assertThat(log.contains(at(0))).as("the beginning of another epoch").isFalse();
      assertThat(log.contains(at(1))).isFalse();
    }
    try (ReplicaLog log = open(at(9), new ArrayList<>())) {
      assertThat(log.contains(at(9))).isTrue();
      assertThat(log.after(at(9), 1000)).isEmpty();
      assertThat(log.contains(at(8))).isFalse();
      assertThat(log.contains(new Position(2, 9))).isFalse();
      assertThat(log.contains(Position.START)).isFalse();
    }
  }

  /** The search by halves finds the same as a look at every entry, whatever happened to the log. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void containsAndGivesWhatWasAppended(long seed) throws IOException {
    Random random = new Random(seed);
    List<LogEntry> all = new ArrayList<>();
    List<Position> checkpoints = new ArrayList<>(List.of(Position.START, Position.START));
    ReplicaLog log = open(Position.START, new ArrayList<>());
    try {
      for (int step = 0; step < 120; step++) {
        switch (random.nextInt(12)) {
          case 0 -> {
            log.rotate();
            log.checkpointed(log.last());
            checkpoints.add(log.last());
          }
          case 1 -> {
            log.close();
            log = open(checkpoints.getLast(), new ArrayList<>());
            checkpoints.add(checkpoints.getLast());
          }
          case 2 -> {
            Position before = log.last();
            log.append(next(before, random));
            log.dropLast(before);
          }
          default -> {
            all.add(next(log.last(), random));
            log.append(all.getLast());
          }
        }
        check(log, all, checkpoints.get(checkpoints.size() - 2), random);
      }
    } finally {
      log.close();
    }
  }

  /** Returns the next entry, now and then of a later epoch. */
  private static LogEntry next(Position last, Random random) {
    long epoch = Math.max(1, last.epoch()) + (random.nextInt(6) == 0 ? 1 : 0);
    return new LogEntry.Update(
        new Position(epoch, last.sequence() + 1),
        0,
        UpdateKey.of("key".repeat(random.nextInt(1, 9))),
        NOTHING,
        NOTHING,
        Optional.empty());
  }

  /**
   * @param from the last checkpoint but one: what comes before it may be gone
   */
  private void check(ReplicaLog log, List<LogEntry> all, Position from, Random random)
      throws IOException {
    List<Position> positions = new ArrayList<>(List.of(Position.START));
    all.forEach(entry -> positions.add(entry.position()));
    assertThat(log.last()).isEqualTo(positions.getLast());
    for (int i = 0; i < positions.size(); i++) {
      Position position = positions.get(i);
      if (position.compareTo(from) >= 0) {
        assertThat(log.contains(position)).as("%s, from %s", position, from).isTrue();
      }
      if (log.contains(position)) {
        assertThat(encoded(log.after(position, Integer.MAX_VALUE)))
            .isEqualTo(encoded(all.subList(i, all.size())));
        int bytesMax = random.nextInt(1, 400);
        assertThat(encoded(log.after(position, bytesMax)))
            .isEqualTo(encoded(upTo(bytesMax, all, i)));
      }
      long sequence = position.sequence();
      for (long epoch = 0; epoch <= positions.getLast().epoch() + 1; epoch++) {
        Position other = new Position(epoch, sequence);
        assertThat(other.equals(position) || !log.contains(other)).as(other.toString()).isTrue();
      }
    }
    Position last = positions.getLast();
    assertThat(log.contains(new Position(last.epoch(), last.sequence() + 1))).isFalse();
  }

  private List<ByteBuffer> encoded(List<LogEntry> entries) {
    return entries.stream().map(codec::encode).toList();
  }

  private List<LogEntry> upTo(int bytesMax, List<LogEntry> all, int from) {
    List<LogEntry> some = new ArrayList<>();
    int bytes = 0;
    for (LogEntry entry : all.subList(from, all.size())) {
      bytes += codec.encode(entry).remaining();
      if (!some.isEmpty() && bytes > bytesMax) {
        break;
      }
      some.add(entry);
    }
    return some;
  }

  /** Writes entries from 1, of which the first three are in a segment of their own. */
  private void fill(long count) throws IOException {
    try (ReplicaLog log = open(Position.START, new ArrayList<>())) {
      for (long sequence = 1; sequence <= count; sequence++) {
        log.append(entry(sequence));
        if (sequence == 3) {
          log.rotate();
        }
      }
    }
  }

  /** Cuts a segment down to a number of entries. */
  private void cutTo(long first, int kept) throws IOException {
    cutTo(first, kept, 0);
  }

  /** Cuts a segment down to a number of entries and some bytes of the next. */
  private void cutTo(long first, int kept, int more) throws IOException {
    Path segment = segment(first);
    List<Long> offsets = new ArrayList<>();
    FramedFile.open(
            new FileStorage(directory),
            segment,
            Damage.UNFORCED_TAIL,
            (offset, bytes) -> offsets.add(offset))
        .close();
    try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      file.truncate(offsets.get(kept) + more);
    }
  }

  private Path segment(long first) {
    return directory.resolve("log").resolve(String.format("%020d.log", first));
  }

  private byte[] bytesOf(long first) throws IOException {
    return Files.readAllBytes(segment(first));
  }

  /** Flips a bit of the first entry. */
  private void flip(long first) throws IOException {
    byte[] bytes = bytesOf(first);
    bytes[12] ^= 4;
    Files.write(segment(first), bytes);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("log"))) {
      return files.toList();
    }
  }

  private static Position at(long sequence) {
    return new Position(1, sequence);
  }

  private ReplicaLog open(Position base, List<LogEntry> entries) throws IOException {
    return ReplicaLog.open(
        new FileStorage(directory), directory.resolve("log"), codec, base, entries);
  }

  private static LogEntry entry(long sequence) {
    return new LogEntry.Update(
        new Position(1, sequence),
        0,
        UpdateKey.of("key-" + sequence),
        NOTHING,
        NOTHING,
        Optional.empty());
  }
}
