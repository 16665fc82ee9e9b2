package io.uniserve.simulation.scenario.scale;

import io.uniserve.kernel.Address;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The surroundings of a modelled server.
 *
 * @param controllers their addresses
 * @param follower brings it cluster state
 * @param day the load of the actors
 * @param actorBytes the size of each actor
 * @param nanos returns true time
 */
record Surroundings(
    List<Address> controllers,
    Follower follower,
    DayOfLoad day,
    long[] actorBytes,
    LongSupplier nanos) {

  /** The number of threads of one server that run operators. */
  static final int WORKERS = 4;

  /** The time for which a server may act as a primary after a heartbeat. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** The time between two heartbeats of a server. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** The time between two reports of a server's load. */
  static final Duration LOAD_INTERVAL = Duration.ofSeconds(30);

  /** The speed of fetching a copy. */
  static final long BYTES_PER_SECOND = 250L << 20;
}
