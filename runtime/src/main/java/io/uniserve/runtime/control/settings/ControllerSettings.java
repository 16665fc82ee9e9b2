package io.uniserve.runtime.control.settings;

import io.uniserve.runtime.control.raft.RaftSettings;
import java.time.Duration;

/**
 * The settings of a controller.
 *
 * @param lease the longest time for which a server may act as primary after a heartbeat; its
 *     failure is not acted upon before
 * @param pingTimeout the longest time that a suspected server may take to answer
 * @param checkInterval the interval at which the coordinator looks for silent servers and
 *     unfinished repairs
 * @param keepAlive the longest time for which a subscription may be silent
 * @param repairs the moving and replacing of copies
 * @param placement the balancing of load
 * @param raft the agreement of the controllers
 */
public record ControllerSettings(
    Duration lease,
    Duration pingTimeout,
    Duration checkInterval,
    Duration keepAlive,
    RepairSettings repairs,
    PlacementSettings placement,
    RaftSettings raft) {
  /** The default for machines on one network: failures are acted upon within about 1.5 s. */
  public static final ControllerSettings DEFAULT =
      new ControllerSettings(
          Duration.ofMillis(1000),
          Duration.ofMillis(400),
          Duration.ofMillis(250),
          Duration.ofMillis(1000),
          RepairSettings.DEFAULT,
          PlacementSettings.DEFAULT,
          RaftSettings.DEFAULT);

  /** Returns the longest time after which the failure of a server is noticed. */
  public Duration noticedWithin() {
    return lease.plus(pingTimeout).plus(checkInterval.multipliedBy(2));
  }

  /** Returns the same settings with another agreement. */
  public ControllerSettings with(RaftSettings other) {
    return new ControllerSettings(
        lease, pingTimeout, checkInterval, keepAlive, repairs, placement, other);
  }

  /** Returns the same settings with another balancing of load. */
  public ControllerSettings with(PlacementSettings other) {
    return new ControllerSettings(
        lease, pingTimeout, checkInterval, keepAlive, repairs, other, raft);
  }
}
