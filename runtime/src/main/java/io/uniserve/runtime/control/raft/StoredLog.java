package io.uniserve.runtime.control.raft;

import io.microraft.model.RaftModelFactory;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.SnapshotEntry;
import io.microraft.persistence.RestoredRaftState;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.wire.ConsensusMessage.Chunk;
import io.uniserve.runtime.wire.ConsensusMessage.Entry;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The contents of a member's directory when it starts.
 *
 * @param directory the directory
 * @param ballot empty if the member never ran
 * @param snapshot the chunks of the newest complete one
 * @param entries those after the snapshot, by index, without a gap
 * @param segments the files of the log, open
 * @param snapshots the files of snapshots
 */
record StoredLog(
    Path directory,
    Optional<Ballot> ballot,
    Optional<List<Chunk>> snapshot,
    TreeMap<Long, Entry> entries,
    LogSegments segments,
    SnapshotFiles snapshots)
    implements Closeable {
  private static final RaftModelFactory MODELS = new DefaultRaftModelFactory();

  /**
   * Reads a directory, and creates it if needed.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if anything that was forced is missing
   *     or damaged
   */
  static StoredLog open(Storage storage, Path directory) throws IOException {
    storage.createDirectories(directory);
    Optional<Ballot> voted = ballot(storage, directory.resolve(Ballot.FILE));
    SnapshotFiles snapshots = new SnapshotFiles(storage, directory);
    Optional<List<Chunk>> snapshot = snapshots.newest();
    Replayed replayed = new Replayed();
    LogSegments segments = LogSegments.open(storage, directory, replayed::replay);
    try {
      long snapshotIndex = snapshot.map(chunks -> chunks.getFirst().index()).orElse(0L);
      replayed.requireWhole(directory, snapshotIndex);
      return new StoredLog(directory, voted, snapshot, replayed.entries, segments, snapshots);
    } catch (RuntimeException e) {
      segments.close();
      throw e;
    }
  }

  /**
   * Reads the ballot and writes it anew, since its readable content may not be on the disk after a
   * failed force.
   */
  private static Optional<Ballot> ballot(Storage storage, Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    byte[] kept = Files.readAllBytes(file);
    Ballot ballot = Ballot.decode(file, kept);
    storage.replace(file, kept);
    return Optional.of(ballot);
  }

  private static final class Replayed {
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private long floor;

    void replay(LogChange change) {
      switch (change) {
        case LogChange.Append append ->
            append.entries().forEach(entry -> entries.put(entry.index(), entry));
        case LogChange.Cut cut -> entries.tailMap(cut.from(), true).clear();
        case LogChange.Floor low -> floor = low.index();
      }
    }

    void requireWhole(Path directory, long snapshotIndex) {
      entries.headMap(snapshotIndex, true).clear();
      boolean contiguous =
          entries.isEmpty()
              || entries.firstKey() == snapshotIndex + 1
                  && entries.lastKey() == snapshotIndex + entries.size();
      if (snapshotIndex < floor || !contiguous) {
        throw new UniserveException(
            ErrorCode.CORRUPT,
            directory + ": the control log lacks entries after " + snapshotIndex);
      }
    }
  }

  /** Returns the same in MicroRaft's form; empty if the member never ran. */
  Optional<RestoredRaftState> restored(Member self, Founding founding) {
    return ballot.map(
        known ->
            new RestoredRaftState(
                MODELS
                    .createRaftEndpointPersistentStateBuilder()
                    .setLocalEndpoint(Endpoint.of(self))
                    .setVoting(known.voting())
                    .build(),
                Entries.model(new Members(0, founding.members(), founding.members())),
                MODELS
                    .createRaftTermPersistentStateBuilder()
                    .setTerm(known.term())
                    .setVotedFor(known.votedFor().map(Endpoint::of).orElse(null))
                    .build(),
                snapshot.map(StoredLog::model).orElse(null),
                entries.values().stream().map(Entries::model).toList()));
  }

  private static SnapshotEntry model(List<Chunk> chunks) {
    Chunk first = chunks.getFirst();
    return MODELS
        .createSnapshotEntryBuilder()
        .setIndex(first.index())
        .setTerm(first.term())
        .setSnapshotChunks(chunks.stream().map(Entries::model).toList())
        .setGroupMembersView(Entries.model(first.members()))
        .build();
  }

  @Override
  public void close() throws IOException {
    try (snapshots) {
      segments.close();
    }
  }
}
