package io.uniserve.runtime.control.raft;

import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import io.uniserve.api.codec.Encoder;
import io.uniserve.kernel.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A member's log, votes and snapshots on its disk.
 *
 * <p>Appended entries wait in memory until {@link #flush}, which writes them all as one frame and
 * forces that. So many submissions cost one force, and only the last frame of a log file can be
 * unfinished after a crash. Votes are files that are replaced as a whole. After a failure the store
 * is not used again. Its owner opens the files anew, since it is unknown what of the failed write
 * is on the disk.
 */
final class LogStore implements RaftStore, Closeable {
  private final Storage storage;
  private final Path directory;
  private final LogSegments segments;
  private final SnapshotFiles snapshots;
  private final FailureListener listener;
  private final Encoder pending = new Encoder();
  private Ballot ballot;
  private long highestPending;

  /** A listener for failures of the disk. */
  @FunctionalInterface
  interface FailureListener {
    /** Notes that nothing in this member's memory may be relied upon any more. */
    void failed(Throwable failure);
  }

  LogStore(Storage storage, StoredLog stored, FailureListener listener) {
    this.storage = storage;
    this.directory = stored.directory();
    this.segments = stored.segments();
    this.snapshots = stored.snapshots();
    this.ballot = stored.ballot().orElse(Ballot.NONE);
    this.listener = listener;
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void guard(Writing writing) throws IOException {
    try {
      writing.run();
    } catch (IOException | RuntimeException e) {
      listener.failed(e);
      throw e;
    }
  }

  @Override
  public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState state) throws IOException {
    keep(new Ballot(ballot.term(), ballot.votedFor(), state.isVoting()));
  }

  @Override
  public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) {
    // The code that started this member keeps the founding.
  }

  @Override
  public void persistAndFlushTerm(RaftTermPersistentState state) throws IOException {
    keep(
        new Ballot(
            state.getTerm(),
            Optional.ofNullable(state.getVotedFor()).map(Endpoint::member),
            ballot.voting()));
  }

  private void keep(Ballot next) throws IOException {
    guard(
        () -> {
          storage.replace(directory.resolve(Ballot.FILE), next.encode());
          ballot = next;
        });
  }

  @Override
  public void persistLogEntries(List<LogEntry> entries) throws IOException {
    guard(
        () -> {
          LogChange.write(
              new LogChange.Append(entries.stream().map(Entries::wire).toList()), pending);
          highestPending = Math.max(highestPending, entries.getLast().getIndex());
        });
  }

  @Override
  public void truncateLogEntriesFrom(long index) throws IOException {
    guard(() -> LogChange.write(new LogChange.Cut(index), pending));
  }

  @Override
  public void persistSnapshotChunk(SnapshotChunk chunk) throws IOException {
    guard(() -> snapshots.add(Entries.wire(chunk)));
  }

  @Override
  public void deleteSnapshotChunks(long index, int count) throws IOException {
    guard(() -> snapshots.delete(index));
  }

  @Override
  public void truncateLogEntriesUntil(long index) throws IOException {
    guard(
        () -> {
          segments.dropUntil(index);
          snapshots.deleteAllButNewest();
        });
  }

  @Override
  public void flush() throws IOException {
    guard(
        () -> {
          snapshots.force();
          if (pending.size() > 0) {
            segments.append(pending.toByteBuffer(), highestPending);
            pending.clear();
            highestPending = 0;
          }
        });
  }

  @Override
  public void close() throws IOException {
    try (snapshots) {
      segments.close();
    }
  }
}
