package io.uniserve.runtime.control.raft;

import io.microraft.RaftConfig;
import io.uniserve.api.UniserveException;
import java.time.Duration;

/**
 * How routers agree.
 *
 * @param failureTimeout after so long without a word from the leader another is elected
 * @param durable whether what is committed is on disk, or only in memory: then a router that ends
 *     has left the group, and the log ends with the last majority
 * @param snapshotBytes of log, after which it is replaced by a snapshot
 */
public record RaftSettings(Duration failureTimeout, boolean durable, long snapshotBytes) {
  /** Ticks in a timeout: how finely it is watched. */
  static final int TICKS = 10;

  private static final int ENTRIES_PER_REQUEST = 16;
  private static final int ENTRIES_PENDING_MAX = 1_000;
  private static final int ENTRIES_PER_SNAPSHOT = 5_000;

  /** An election takes so many ticks before it is repeated. */
  private static final int ELECTION_TICKS = 3;

  /** Durable; half a second; 16 MiB. */
  public static final RaftSettings DEFAULT =
      new RaftSettings(Duration.ofMillis(500), true, 16L << 20);

  /** Checks the sizes. */
  public RaftSettings {
    if (failureTimeout.compareTo(Duration.ofMillis(20)) < 0) {
      throw UniserveException.invalid(
          "failureTimeout is at least 20 ms, not " + failureTimeout.toMillis() + " ms");
    }
    if (snapshotBytes < 1) {
      throw UniserveException.invalid("snapshotBytes is positive, not " + snapshotBytes);
    }
  }

  /** The same with another timeout. */
  public RaftSettings withFailureTimeout(Duration timeout) {
    return new RaftSettings(timeout, durable, snapshotBytes);
  }

  /** The same, but kept in memory alone. */
  public RaftSettings inMemory() {
    return new RaftSettings(failureTimeout, false, snapshotBytes);
  }

  /** Between two heartbeats of the leader. */
  Duration tick() {
    return failureTimeout.dividedBy(TICKS);
  }

  /** MicroRaft counts whole seconds: one of them is a tick here (see {@link RaftTime}). */
  RaftConfig config() {
    return RaftConfig.newBuilder()
        .setLeaderHeartbeatPeriodSecs(1)
        .setLeaderHeartbeatTimeoutSecs(TICKS)
        .setLeaderElectionTimeoutMillis(ELECTION_TICKS * 1_000L)
        .setAppendEntriesRequestBatchSize(ENTRIES_PER_REQUEST)
        .setMaxPendingLogEntryCount(ENTRIES_PENDING_MAX)
        .setCommitCountToTakeSnapshot(ENTRIES_PER_SNAPSHOT)
        .setTransferSnapshotsFromFollowersEnabled(false)
        .setRaftNodeReportPublishPeriodSecs(1_000)
        .build();
  }
}
