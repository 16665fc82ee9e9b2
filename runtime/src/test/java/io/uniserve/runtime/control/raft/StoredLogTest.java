package io.uniserve.runtime.control.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.wire.ConsensusMessage.Entry;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents of a member's disk after each way to stop. */
class StoredLogTest {
  private static final DefaultRaftModelFactory MODELS = new DefaultRaftModelFactory();
  private static final int MARK_BYTES = 8;
  private static final Member MEMBER = new Member("a", new Address("controller"));

  private final List<Throwable> failures = new ArrayList<>();
  private Storage storage;
  private Path directory;

  @TempDir Path root;

  @BeforeEach
  void storage() throws IOException {
    storage = new FileStorage(root);
    directory = root.resolve("log");
  }

  private LogStore open() throws IOException {
    return new LogStore(storage, StoredLog.open(storage, directory), failures::add);
  }

  private List<Long> reopened() throws IOException {
    try (StoredLog stored = StoredLog.open(storage, directory)) {
      return List.copyOf(stored.entries().keySet());
    }
  }

  private static List<LogEntry> entries(int term, long from, long to) {
    return LongStream.rangeClosed(from, to)
        .mapToObj(index -> Entries.model(new Entry(index, term, false, new byte[] {(byte) term})))
        .toList();
  }

  private static SnapshotChunk chunk(long index, int number, int count) {
    return MODELS
        .createSnapshotChunkBuilder()
        .setIndex(index)
        .setTerm(1)
        .setSnapshotChunkIndex(number)
        .setSnapshotChunkCount(count)
        .setOperation(new byte[] {7})
        .setGroupMembersView(Entries.model(new Members(0, List.of(MEMBER), List.of(MEMBER))))
        .build();
  }

  @Test
  void keepsWhatWasFlushedAndForgetsTheRest() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 3));
      store.flush();
      store.persistLogEntries(entries(1, 4, 5));
    }
    assertThat(reopened()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void replacesEntriesThatWereNeverCommitted() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 5));
      store.flush();
      store.truncateLogEntriesFrom(3);
      store.persistLogEntries(entries(2, 3, 4));
      store.flush();
    }
    try (StoredLog stored = StoredLog.open(storage, directory)) {
      assertThat(stored.entries().values()).extracting(Entry::term).containsExactly(1, 1, 2, 2);
    }
  }

  @Test
  void remembersItsVote() throws IOException {
    try (LogStore store = open()) {
      store.persistAndFlushLocalEndpoint(
          MODELS
              .createRaftEndpointPersistentStateBuilder()
              .setLocalEndpoint(Endpoint.of(MEMBER))
              .setVoting(true)
              .build());
      store.persistAndFlushTerm(
          MODELS
              .createRaftTermPersistentStateBuilder()
              .setTerm(7)
              .setVotedFor(Endpoint.of(MEMBER))
              .build());
    }
    try (StoredLog stored = StoredLog.open(storage, directory)) {
      assertThat(stored.ballot()).contains(new Ballot(7, Optional.of(MEMBER), true));
    }
  }

  @Test
  void cutsOffAnUnfinishedWriteOnly() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 2));
      store.flush();
      store.persistLogEntries(entries(1, 3, 4));
      store.flush();
    }
    Path log = onlyFile("log-");
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(whole, whole.length - MARK_BYTES - 1));
    assertThat(reopened()).containsExactly(1L, 2L);
    whole[12] ^= 1;
    Files.write(log, whole);
    assertThatThrownBy(this::reopened).hasMessageContaining("damaged");
  }

  /** The write may have been committed, with this member's copy among others. */
  @Test
  void doesNotCutOffADamagedLastWriteThatWasForced() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 2));
      store.flush();
    }
    Path log = onlyFile("log-");
    byte[] whole = Files.readAllBytes(log);
    for (int at = 0; at < whole.length - MARK_BYTES; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(log, damaged);
      assertThatThrownBy(this::reopened).as("byte %d", at).hasMessageContaining("damaged");
      assertThat(log).as("nothing is cut").hasBinaryContent(damaged);
    }
  }

  @Test
  void writesAnewWhatItReadsSinceTheDiskMayHaveFailedToTakeIt() throws IOException {
    try (LogStore store = open()) {
      store.persistAndFlushTerm(MODELS.createRaftTermPersistentStateBuilder().setTerm(7).build());
      store.persistLogEntries(entries(1, 1, 9));
      store.persistSnapshotChunk(chunk(8, 0, 1));
      store.flush();
    }
    Map<Path, Object> before = identities();
    reopened();
    assertThat(identities().keySet()).isEqualTo(before.keySet());
    identities().forEach((path, file) -> assertThat(file).isNotEqualTo(before.get(path)));
  }

  private Map<Path, Object> identities() throws IOException {
    Map<Path, Object> all = new TreeMap<>();
    for (Path path : files("")) {
      all.put(path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    }
    return all;
  }

  @Test
  void aSnapshotStandsForTheEntriesBeforeIt() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 9));
      store.persistSnapshotChunk(chunk(8, 0, 2));
      store.persistSnapshotChunk(chunk(8, 1, 2));
      store.flush();
      store.truncateLogEntriesUntil(7);
      store.persistLogEntries(entries(1, 10, 12));
      store.flush();
    }
    try (StoredLog stored = StoredLog.open(storage, directory)) {
      assertThat(stored.snapshot().orElseThrow()).hasSize(2);
      assertThat(stored.entries().keySet()).containsExactly(9L, 10L, 11L, 12L);
    }
    try (LogStore store = open()) {
      store.persistSnapshotChunk(chunk(12, 0, 1));
      store.flush();
      store.truncateLogEntriesUntil(12);
    }
    assertThat(files("log-")).hasSize(1);
    assertThat(files("snapshot-")).hasSize(1);
    assertThat(reopened()).isEmpty();
  }

  @Test
  void anUnfinishedSnapshotDoesNotCount() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 9));
      store.flush();
      store.persistSnapshotChunk(chunk(8, 0, 2));
    }
    try (StoredLog stored = StoredLog.open(storage, directory)) {
      assertThat(stored.snapshot()).isEmpty();
      assertThat(stored.entries()).hasSize(9);
    }
  }

  @Test
  void aLostSnapshotIsNotTakenForAnEmptyLog() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 9));
      store.persistSnapshotChunk(chunk(9, 0, 1));
      store.flush();
      store.truncateLogEntriesUntil(9);
    }
    Files.delete(onlyFile("snapshot-"));
    assertThatThrownBy(this::reopened)
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("lacks entries after 0");
  }

  /** A snapshot takes the place of log entries, which are deleted. */
  @Test
  void aDamagedSnapshotThatWasForcedIsNeitherCutNorDeleted() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 9));
      store.persistSnapshotChunk(chunk(9, 0, 2));
      store.persistSnapshotChunk(chunk(9, 1, 2));
      store.flush();
    }
    requireEachByteMatters(onlyFile("snapshot-"), MARK_BYTES);
  }

  @Test
  void aDamagedVoteIsNotTrusted() throws IOException {
    try (LogStore store = open()) {
      store.persistAndFlushTerm(MODELS.createRaftTermPersistentStateBuilder().setTerm(7).build());
    }
    requireEachByteMatters(onlyFile(Ballot.FILE), 0);
  }

  /** Marks are not forced, so a machine that loses its power may lose the last of each file. */
  @Test
  void aMarkThatALossOfPowerTookIsWrittenAtTheNextStart() throws IOException {
    try (LogStore store = open()) {
      store.persistLogEntries(entries(1, 1, 9));
      store.persistSnapshotChunk(chunk(8, 0, 2));
      store.persistSnapshotChunk(chunk(8, 1, 2));
      store.flush();
    }
    for (Path file : List.of(onlyFile("log-"), onlyFile("snapshot-"))) {
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(whole, whole.length - MARK_BYTES));
      reopened();
      assertThat(file).hasBinaryContent(whole);
      reopened();
      assertThat(file).as("a second mark is of no use").hasBinaryContent(whole);
    }
  }

  private void requireEachByteMatters(Path file, int lastBytes) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length - lastBytes; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(file, damaged);
      assertThatThrownBy(this::reopened).as("byte %d", at).hasMessageContaining("damaged");
      assertThat(file).as("nothing is cut").hasBinaryContent(damaged);
    }
  }

  @Test
  void aFailedWriteIsTold() throws IOException {
    LogStore store = open();
    store.close();
    store.persistLogEntries(entries(1, 1, 1));
    assertThatThrownBy(store::flush).isInstanceOf(IOException.class);
    assertThat(failures).hasSize(1);
  }

  private Path onlyFile(String prefix) throws IOException {
    return files(prefix).getFirst();
  }

  private List<Path> files(String prefix) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.filter(path -> path.getFileName().toString().startsWith(prefix)).toList();
    }
  }
}
