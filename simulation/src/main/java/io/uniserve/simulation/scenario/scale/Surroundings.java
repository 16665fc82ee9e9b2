package io.uniserve.simulation.scenario.scale;

import io.uniserve.kernel.Address;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a modelled server is surrounded by.
 *
 * @param routers where they listen
 * @param follower by which it hears of cluster state
 * @param day the load of the actors
 * @param actorBytes the size of each actor
 * @param nanos true time
 */
record Surroundings(
    List<Address> routers,
    Follower follower,
    DayOfLoad day,
    long[] actorBytes,
    LongSupplier nanos) {

  /** Threads of one server that run operators. */
  static final int WORKERS = 4;

  /** A server may act as a primary for so long after a heartbeat. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** Between two heartbeats of a server. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** Between two reports of a server's load. */
  static final Duration LOAD_INTERVAL = Duration.ofSeconds(30);

  /** How fast a copy is fetched. */
  static final long BYTES_PER_SECOND = 250L << 20;
}
