package io.uniserve.runtime.server.base;

import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.IdleBound;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.runtime.server.plan.chunk.PlanSettings;
import io.uniserve.runtime.wire.LoadSettings;
import java.time.Duration;

/**
 * The settings of a server.
 *
 * @param work the threads, and the work that may wait for them
 * @param peers the signs of life between servers
 * @param copies the copying of replicas from server to server
 * @param backups the durable store
 * @param checkpointBytes log bytes after which a replica's checkpoint is renewed
 * @param plans bounds of what plans of map, scatter and gather take
 * @param scrub the search for damaged files
 * @param load the measurement and reporting of load
 * @param grants the choice of the scan that gets a free slot
 */
public record ServerSettings(
    Work work,
    Peers peers,
    Copies copies,
    Backups backups,
    long checkpointBytes,
    PlanSettings plans,
    ScrubSettings scrub,
    LoadSettings load,
    GrantPolicy grants) {
  /** The preference for urgent scans: from 10 on the most urgent clearly come first (Fig. 12). */
  private static final double ALPHA = 10;

  private static final double IDLE_SECONDS_MAX = 30;

  /** The choice among scans by default: the urgent first, and whoever has waited for too long. */
  public static final GrantPolicy GRANTS =
      new IdleBound(new PriorityBiased(ALPHA), IDLE_SECONDS_MAX);

  /**
   * The settings of a server's threads, and of the work that may wait for them. What exceeds a
   * bound is refused as overload.
   *
   * @param operatorThreads threads that run operators
   * @param updateThreads threads that run update functions and serialise actors
   * @param operatorsWaitingMax operators that may wait for a thread
   * @param operatorWaitMax the longest expected wait of an operator for a thread
   * @param updatesWaitingMax updates that may be under way
   * @param scanSlots L_s, the pages of scans that are read at a time, on threads of operators
   */
  public record Work(
      int operatorThreads,
      int updateThreads,
      int operatorsWaitingMax,
      Duration operatorWaitMax,
      int updatesWaitingMax,
      int scanSlots) {
    /**
     * Returns the number of slots of a server with some threads for operators. Scans read on half
     * of them, so that queries always find others.
     */
    public static int scanSlotsFor(int operatorThreads) {
      return Math.max(1, operatorThreads / 2);
    }
  }

  /**
   * The settings of the signs of life between servers.
   *
   * @param heartbeatInterval the interval at which the coordinator hears from the server
   * @param pingInterval the interval at which a random peer is pinged
   * @param pingTimeout the longest time that a peer may take to answer
   */
  public record Peers(Duration heartbeatInterval, Duration pingInterval, Duration pingTimeout) {}

  /**
   * The settings of the copying of replicas from server to server.
   *
   * @param followTimeout the longest time that a primary keeps a follower waiting for new updates
   * @param followBytesMax bytes of updates in one answer to a follower
   * @param retryDelay the pause after a failed step of a replica
   * @param linger the time for which a retiring copy answers clients that have not heard of its end
   * @param bytesPerSecond the highest rate at which a replica is fetched from another server
   */
  public record Copies(
      Duration followTimeout,
      int followBytesMax,
      Duration retryDelay,
      Duration linger,
      long bytesPerSecond) {}

  /**
   * The settings of what a server does with the durable store.
   *
   * @param interval the interval at which updates of tables of asynchronous durability are stored
   * @param checkpointInterval the shortest time between two stored checkpoints of one actor
   * @param lagMax the longest time for which the durable store may lack an update; then no more are
   *     accepted
   * @param lagEntriesMax the most updates of one actor that it may lack; beyond them no more are
   *     accepted
   */
  public record Backups(
      Duration interval, Duration checkpointInterval, Duration lagMax, long lagEntriesMax) {}

  /** Returns the settings of a server that has a machine of this many processors to itself. */
  public static ServerSettings forProcessors(int processors) {
    return new ServerSettings(
        new Work(
            processors,
            processors,
            10_000,
            Duration.ofSeconds(5),
            1_000,
            Work.scanSlotsFor(processors)),
        new Peers(Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(400)),
        new Copies(
            Duration.ofMillis(1000),
            1 << 20,
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            200L << 20),
        new Backups(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), 100_000),
        64L << 20,
        PlanSettings.forMemory(Runtime.getRuntime().maxMemory()),
        ScrubSettings.DEFAULT,
        LoadSettings.DEFAULT,
        GRANTS);
  }

  /**
   * Returns the same settings with another interval between backups and between stored checkpoints.
   */
  public ServerSettings withBackupInterval(Duration interval) {
    Backups other = new Backups(interval, interval, backups.lagMax(), backups.lagEntriesMax());
    return new ServerSettings(
        work, peers, copies, other, checkpointBytes, plans, scrub, load, grants);
  }

  /** Returns the same settings with another length of the log between checkpoints. */
  public ServerSettings withCheckpointBytes(long bytes) {
    return new ServerSettings(work, peers, copies, backups, bytes, plans, scrub, load, grants);
  }

  /** Returns the same settings with another measurement of load. */
  public ServerSettings withLoad(LoadSettings other) {
    return new ServerSettings(
        work, peers, copies, backups, checkpointBytes, plans, scrub, other, grants);
  }

  /** Returns the same settings with another search for damage. */
  public ServerSettings withScrub(ScrubSettings other) {
    return new ServerSettings(
        work, peers, copies, backups, checkpointBytes, plans, other, load, grants);
  }

  /** Returns the same settings with another number of slots of scans. */
  public ServerSettings withScanSlots(int slots) {
    Work other =
        new Work(
            work.operatorThreads(),
            work.updateThreads(),
            work.operatorsWaitingMax(),
            work.operatorWaitMax(),
            work.updatesWaitingMax(),
            slots);
    return new ServerSettings(
        other, peers, copies, backups, checkpointBytes, plans, scrub, load, grants);
  }

  /** Returns the same settings with another choice of the scan that gets a free slot. */
  public ServerSettings withGrants(GrantPolicy other) {
    return new ServerSettings(
        work, peers, copies, backups, checkpointBytes, plans, scrub, load, other);
  }
}
