package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.checkpoint.ReplicaFiles;
import io.uniserve.runtime.server.engine.EngineFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The making of one replica's checkpoints, one at a time. */
public final class ReplicaCheckpoints {
  /** The number of failures of an engine to write a checkpoint that a copy is given up after. */
  private static final int FAILURES_MAX = 3;

  private static final Duration DECISION_PATIENCE = Duration.ofSeconds(5);

  private final ReplicaState state;
  private final Clock clock;

  /** The failures of the engine in a row; under the replica's lock. */
  private int failures;

  private final ReplicaFiles files;

  ReplicaCheckpoints(ReplicaState state, Clock clock, ReplicaFiles files) {
    this.state = state;
    this.clock = clock;
    this.files = files;
  }

  /**
   * Returns a checkpoint at the newest position, pinned; the caller unpins it. Updates wait while
   * the engine serialises, not while the disk makes it durable.
   */
  public Checkpoint pinned() throws IOException {
    state.filesLock().lock();
    try {
      Checkpoint checkpoint = newestOnceDecided();
      files.pin(checkpoint);
      return checkpoint;
    } finally {
      state.filesLock().unlock();
    }
  }

  /**
   * Returns a checkpoint for another copy to begin with, pinned as above. It is at the newest
   * position, or, while a transaction is prepared, the newest that exists; the log has what came
   * after it. The outcome is not awaited, since the transaction may wait for that very copy.
   */
  public Checkpoint pinnedForCopy() throws IOException {
    state.filesLock().lock();
    try {
      Optional<Checkpoint> now = newestOrNew();
      Checkpoint checkpoint =
          now.isPresent() ? now.get() : files.newest().orElseThrow(state::notOpen);
      files.pin(checkpoint);
      return checkpoint;
    } finally {
      state.filesLock().unlock();
    }
  }

  /**
   * Returns the newest checkpoint on disk, where the log begins, pinned as above; makes a new one
   * if there is none.
   */
  public Checkpoint newestPinned() throws IOException {
    state.filesLock().lock();
    try {
      Optional<Checkpoint> newest = files.newest();
      Checkpoint checkpoint = newest.isPresent() ? newest.get() : newestOnceDecided();
      files.pin(checkpoint);
      return checkpoint;
    } finally {
      state.filesLock().unlock();
    }
  }

  /** Makes data that came from the durable store survive a crash of this server. */
  public void settle() throws IOException {
    state.filesLock().lock();
    try {
      files.settle();
    } finally {
      state.filesLock().unlock();
    }
  }

  /**
   * Waits until nothing is prepared, since a checkpoint has no place for that, and returns a
   * checkpoint. The caller holds the lock of the files. It is free during the wait: the decision
   * may come from a primary that this replica is to follow, and it follows nobody without that
   * lock.
   */
  private Checkpoint newestOnceDecided() throws IOException {
    Deadline patience = Deadline.after(clock, DECISION_PATIENCE);
    Optional<Checkpoint> checkpoint = newestOrNew();
    while (checkpoint.isEmpty()) {
      state.filesLock().unlock();
      try {
        awaitDecision(patience);
      } finally {
        state.filesLock().lock();
      }
      checkpoint = newestOrNew();
    }
    return checkpoint.get();
  }

  private void awaitDecision(Deadline patience) {
    Optional<OpenTransaction> open = state.trusted().flatMap(ReplicaData::open);
    try {
      if (open.isEmpty() || open.get().settled().await(patience)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UniserveException(
        ErrorCode.UNAVAILABLE,
        state.target() + " makes no checkpoint while the outcome of a transaction is unknown");
  }

  /** Makes a checkpoint if this many bytes were logged since the last. */
  public void makeIfDue(long bytes) throws IOException {
    state.lock();
    boolean due;
    try {
      due =
          state
              .trusted()
              .filter(data -> data.bytesSinceCheckpoint() >= bytes && data.open().isEmpty())
              .isPresent();
    } finally {
      state.unlock();
    }
    if (due) {
      files.unpin(pinned());
    }
  }

  /** Returns the newest checkpoint, or makes one; empty while a transaction is prepared. */
  private Optional<Checkpoint> newestOrNew() throws IOException {
    requireOpen();
    Path begun = files.begin();
    try {
      ReplicaData data;
      CheckpointMeta meta;
      state.lock();
      try {
        data = state.require();
        Optional<Checkpoint> newest = newestAt(data);
        if (newest.isPresent() || data.open().isPresent()) {
          return newest;
        }
        meta = serialize(data, begun);
      } finally {
        state.unlock();
      }
      return Optional.of(finish(begun, meta, data));
    } finally {
      files.delete(begun);
    }
  }

  /**
   * @throws DamagedCopyException if the engine has failed to do it several times in a row: the open
   *     actor serves nobody who is to have its data
   */
  private CheckpointMeta serialize(ReplicaData data, Path begun) throws IOException {
    try {
      CheckpointMeta meta = data.serialize(begun);
      failures = 0;
      return meta;
    } catch (UnusableFileException e) {
      // The log could not be forced.
      state.fail();
      throw e;
    } catch (EngineFailedException e) {
      if (EngineFailedException.outOfRoom(e) || ++failures < FAILURES_MAX) {
        throw e;
      }
      failures = 0;
      throw new DamagedCopyException(
          "its engine failed to write a checkpoint "
              + FAILURES_MAX
              + " times in a row: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Writes all files of the replica anew from the open actor, since a checkpoint or a log is
   * damaged. It does so only while nothing is prepared.
   *
   * @return true if that was done
   * @throws DamagedCopyException if the open actor shares the damaged file
   */
  public boolean renew() throws IOException {
    state.filesLock().lock();
    try {
      requireOpen();
      Path begun = files.begin();
      try {
        ReplicaData data;
        CheckpointMeta meta;
        state.lock();
        try {
          data = state.require();
          if (data.open().isPresent()) {
            return false;
          }
          meta = serialize(data, begun);
        } finally {
          state.unlock();
        }
        files.renew(begun, meta);
        renewed(data, meta);
        return true;
      } finally {
        files.delete(begun);
      }
    } finally {
      state.filesLock().unlock();
    }
  }

  private void renewed(ReplicaData serialized, CheckpointMeta meta) throws IOException {
    state.lock();
    try {
      if (state.isTrusted(serialized)) {
        serialized.renewed(meta.position());
      }
    } finally {
      state.unlock();
    }
  }

  /**
   * Requires that the replica is open. After it is closed its files are deleted, and no directory
   * may appear again.
   */
  private void requireOpen() {
    state.lock();
    try {
      state.require();
    } finally {
      state.unlock();
    }
  }

  private Optional<Checkpoint> newestAt(ReplicaData data) throws IOException {
    return files.newest().filter(known -> known.position().equals(data.position()));
  }

  private Checkpoint finish(Path begun, CheckpointMeta meta, ReplicaData serialized)
      throws IOException {
    Checkpoint checkpoint = files.finish(begun, meta);
    state.lock();
    try {
      if (state.isTrusted(serialized)) {
        serialized.checkpointed(meta.position());
      }
    } finally {
      state.unlock();
    }
    return checkpoint;
  }
}
