package io.uniserve.runtime.server.backup;

import io.uniserve.kernel.Clock;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.BackupReceipt;
import io.uniserve.runtime.store.backup.HistoryItem;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * The checkpoints of one primary in the durable store. A checkpoint is due when a restore would
 * have to apply much log, or when the log has become as large as about a quarter of what a
 * checkpoint costs. So checkpoints cost at most a few times what the log costs.
 */
final class BackupCheckpoints {
  private static final int COST_RATIO = 4;
  private static final Duration COLLECT_INTERVAL = Duration.ofMinutes(1);

  private final ServerContext server;
  private final Replica replica;
  private volatile long madeAtNanos;
  private volatile long collectAtNanos;
  private volatile long uploadedBytes;

  BackupCheckpoints(ServerContext server, Replica replica) {
    this.server = server;
    this.replica = replica;
    madeAtNanos = clock().nanos();
    collectAtNanos = clock().nanos();
  }

  boolean due(StoredReach reach) {
    if (!reach.based() || reach.logBytes() >= server.settings().checkpointBytes()) {
      return true;
    }
    Duration since = Duration.ofNanos(clock().nanos() - madeAtNanos);
    return reach.logBytes() > 0
        && reach.logBytes() * COST_RATIO >= uploadedBytes
        && since.compareTo(server.settings().backups().checkpointInterval()) >= 0;
  }

  /**
   * Stores the actor's files as they are now.
   *
   * @param before receives their position before anything is stored
   */
  StoredReach make(StoredReach reach, Consumer<Position> before) throws IOException {
    Checkpoint checkpoint = replica.checkpoints().pinned();
    try {
      before.accept(checkpoint.position());
      return store(reach, checkpoint);
    } finally {
      replica.files().unpin(checkpoint);
    }
  }

  /**
   * Stores the checkpoint that the replica's log continues from. It makes no new checkpoint: a new
   * one would wait for the prepared transaction, which waits for the store.
   */
  StoredReach leadOver(StoredReach reach) throws IOException {
    Checkpoint checkpoint = replica.checkpoints().newestPinned();
    try {
      Position last = checkpoint.position();
      if (last.sequence() > reach.end().sequence()) {
        BackupPlace place = replica.target().place();
        server.backups().note(place, new HistoryItem.Gap(reach.epoch(), reach.end(), last));
      }
      return store(reach, checkpoint);
    } finally {
      replica.files().unpin(checkpoint);
    }
  }

  private StoredReach store(StoredReach reach, Checkpoint checkpoint) throws IOException {
    BackupPlace place = replica.target().place();
    CheckpointMeta meta = CheckpointMeta.read(checkpoint.directory());
    BackupReceipt receipt =
        server
            .backups()
            .checkpoint(
                place,
                new HistoryItem.Checkpoint(reach.epoch(), checkpoint.position(), meta.timeMillis()),
                server.backups().history(place),
                checkpoint.directory(),
                names -> requireSound(checkpoint, names));
    uploadedBytes = receipt.uploadedBytes();
    madeAtNanos = clock().nanos();
    return reach.checkpointed(checkpoint.position());
  }

  /** Requires undamaged files, so that a damaged file never reaches the store as a sound one. */
  private static void requireSound(Checkpoint checkpoint, Collection<String> names)
      throws IOException {
    CheckpointSums.check(checkpoint.directory(), names::contains, bytes -> {});
  }

  /** Deletes objects that no restore needs any more, if the time for that has come. */
  void collect(StoredReach reach) {
    if (clock().nanos() - collectAtNanos >= 0) {
      server
          .backups()
          .collect(
              replica.target().place(), reach.epoch(), replica.target().definition().retention());
      collectAtNanos = clock().nanos() + COLLECT_INTERVAL.toNanos();
    }
  }

  private Clock clock() {
    return server.environment().clock();
  }
}
