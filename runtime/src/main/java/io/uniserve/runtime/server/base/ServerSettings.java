package io.uniserve.runtime.server.base;

import io.uniserve.runtime.server.plan.chunk.PlanSettings;
import io.uniserve.runtime.wire.LoadSettings;
import java.time.Duration;

/**
 * The settings of a server.
 *
 * @param operatorThreads threads that run operators
 * @param updateThreads threads that run update functions and serialise actors
 * @param operatorsWaitingMax operators that may wait for a thread; more are refused as overload
 * @param operatorWaitMax the longest expected wait of an operator for a thread; an operator that
 *     would wait for longer is refused as overload
 * @param updatesWaitingMax updates that may be under way; more are refused as overload
 * @param heartbeatInterval the interval at which the coordinator hears from the server
 * @param pingInterval the interval at which a random peer is pinged
 * @param pingTimeout the longest time that a peer may take to answer
 * @param followTimeout how long a primary keeps a follower waiting for new updates
 * @param followBytesMax bytes of updates in one answer to a follower
 * @param retryDelay after a failed step of a replica
 * @param checkpointBytes log bytes after which a replica's checkpoint is renewed
 * @param backupInterval the interval at which updates of tables of asynchronous durability are
 *     stored
 * @param storedCheckpointInterval the shortest time between two stored checkpoints of one actor
 * @param backupLagMax the longest time for which the durable store may lack an update; then no more
 *     are accepted
 * @param backupLagEntriesMax how many updates of one actor it may lack; then no more are accepted
 * @param linger how long a retiring copy answers clients that have not heard of its end
 * @param copyBytesPerSecond the highest rate at which a replica is fetched from another server
 * @param plans bounds of what plans of map, scatter and gather take
 * @param scrub the search for damaged files
 * @param load the measurement and reporting of load
 */
public record ServerSettings(
    int operatorThreads,
    int updateThreads,
    int operatorsWaitingMax,
    Duration operatorWaitMax,
    int updatesWaitingMax,
    Duration heartbeatInterval,
    Duration pingInterval,
    Duration pingTimeout,
    Duration followTimeout,
    int followBytesMax,
    Duration retryDelay,
    long checkpointBytes,
    Duration backupInterval,
    Duration storedCheckpointInterval,
    Duration backupLagMax,
    long backupLagEntriesMax,
    Duration linger,
    long copyBytesPerSecond,
    PlanSettings plans,
    ScrubSettings scrub,
    LoadSettings load) {

  /** Returns the settings of a server that has a machine of this many processors to itself. */
  public static ServerSettings forProcessors(int processors) {
    return new ServerSettings(
        processors,
        processors,
        10_000,
        Duration.ofSeconds(5),
        1_000,
        Duration.ofMillis(200),
        Duration.ofMillis(400),
        Duration.ofMillis(400),
        Duration.ofMillis(1000),
        1 << 20,
        Duration.ofMillis(100),
        64L << 20,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(5),
        100_000,
        Duration.ofMillis(300),
        200L << 20,
        PlanSettings.forMemory(Runtime.getRuntime().maxMemory()),
        ScrubSettings.DEFAULT,
        LoadSettings.DEFAULT);
  }

  /**
   * Returns the same settings with another interval between backups and between stored checkpoints.
   */
  public ServerSettings withBackupInterval(Duration interval) {
    return with(interval, interval, scrub, load);
  }

  /** Returns the same settings with another measurement of load. */
  public ServerSettings withLoad(LoadSettings other) {
    return with(backupInterval, storedCheckpointInterval, scrub, other);
  }

  /** Returns the same settings with another search for damage. */
  public ServerSettings withScrub(ScrubSettings other) {
    return with(backupInterval, storedCheckpointInterval, other, load);
  }

  private ServerSettings with(
      Duration newBackupInterval,
      Duration newCheckpointInterval,
      ScrubSettings newScrub,
      LoadSettings newLoad) {
    return new ServerSettings(
        operatorThreads,
        updateThreads,
        operatorsWaitingMax,
        operatorWaitMax,
        updatesWaitingMax,
        heartbeatInterval,
        pingInterval,
        pingTimeout,
        followTimeout,
        followBytesMax,
        retryDelay,
        checkpointBytes,
        newBackupInterval,
        newCheckpointInterval,
        backupLagMax,
        backupLagEntriesMax,
        linger,
        copyBytesPerSecond,
        plans,
        newScrub,
        newLoad);
  }
}
