package io.uniserve.runtime.control.raft;

import io.microraft.RaftConfig;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The settings of the controllers' agreement.
 *
 * @param failureTimeout the leader's silence after which another is elected
 * @param durable true if committed entries are on disk, false if they are only in memory; then a
 *     controller that ends has left the group, and the log ends with the last majority
 * @param snapshotBytes the bytes of log after which a snapshot replaces it; a tenth of {@code
 *     snapshotEntries} more at most
 * @param snapshotEntries the entries of log after which a snapshot replaces it, however small they
 *     are; the last tenth is kept for followers that are almost level
 */
public record RaftSettings(
    Duration failureTimeout, boolean durable, long snapshotBytes, int snapshotEntries) {
  /** The number of ticks in a timeout, which is the precision of its measurement. */
  static final int TICKS = 10;

  private static final int ENTRIES_PER_REQUEST = 16;
  private static final int ENTRIES_PENDING_MAX = 500;

  /**
   * The number of ticks between two heartbeats of the leader. Five heartbeats in a timeout are
   * enough; with more, idle controllers would do little else than send them.
   */
  private static final int HEARTBEAT_TICKS = 2;

  /** The number of ticks after which an election is repeated. */
  private static final int ELECTION_TICKS = 3;

  /** The default: half a second; durable; 16 MiB or 4,000 entries. */
  public static final RaftSettings DEFAULT =
      new RaftSettings(Duration.ofMillis(500), true, 16L << 20, 4_000);

  /** Checks the sizes. */
  public RaftSettings {
    if (failureTimeout.compareTo(Duration.ofMillis(20)) < 0) {
      throw UniserveException.invalid(
          "failureTimeout is at least 20 ms, not " + failureTimeout.toMillis() + " ms");
    }
    if (snapshotBytes < 1 || snapshotEntries < 10) {
      throw UniserveException.invalid(
          "a snapshot is made of at least 1 byte and 10 entries, not of "
              + snapshotBytes
              + " and "
              + snapshotEntries);
    }
  }

  /** Returns the same settings with another timeout. */
  public RaftSettings withFailureTimeout(Duration timeout) {
    return new RaftSettings(timeout, durable, snapshotBytes, snapshotEntries);
  }

  /** Returns the same settings with a log in memory only. */
  public RaftSettings inMemory() {
    return new RaftSettings(failureTimeout, false, snapshotBytes, snapshotEntries);
  }

  /** Returns the same settings with snapshots at other sizes. */
  public RaftSettings withSnapshots(long bytes, int entries) {
    return new RaftSettings(failureTimeout, durable, bytes, entries);
  }

  /**
   * Returns whether a snapshot may be made between those that MicroRaft makes at every multiple of
   * {@code snapshotEntries}. MicroRaft keeps a tenth of them behind each snapshot, and relies on
   * having them. Two snapshots closer to each other than that would make it look for entries that
   * are gone.
   */
  boolean maySnapshot(long index, long lastSnapshot) {
    long kept = Math.max(1, snapshotEntries / 10);
    return index - lastSnapshot > kept && snapshotEntries - index % snapshotEntries > kept;
  }

  /** Returns the length of a tick. */
  Duration tick() {
    return failureTimeout.dividedBy(TICKS);
  }

  /** Returns the time after which an election is repeated. */
  Duration election() {
    return tick().multipliedBy(ELECTION_TICKS);
  }

  /**
   * Returns MicroRaft's configuration. MicroRaft counts whole seconds; each is a tick here (see
   * {@link RaftTime}).
   */
  RaftConfig config() {
    return RaftConfig.newBuilder()
        .setLeaderHeartbeatPeriodSecs(HEARTBEAT_TICKS)
        .setLeaderHeartbeatTimeoutSecs(TICKS)
        .setLeaderElectionTimeoutMillis(ELECTION_TICKS * 1_000L)
        .setAppendEntriesRequestBatchSize(ENTRIES_PER_REQUEST)
        .setMaxPendingLogEntryCount(ENTRIES_PENDING_MAX)
        .setCommitCountToTakeSnapshot(snapshotEntries)
        .setTransferSnapshotsFromFollowersEnabled(false)
        .setRaftNodeReportPublishPeriodSecs(1_000)
        .build();
  }
}
