package io.uniserve.api.policy;

import java.time.Duration;
import java.util.List;

/**
 * A policy that decides which running scan gets a server that became free (PNUTS §4, scheduling).
 */
@FunctionalInterface
public interface ScanPriority {

  /**
   * Returns the index, within the list, of the scan that gets the server. The list is never empty.
   */
  int next(String server, List<Scan> waiting);

  /**
   * A scan that waits for this server.
   *
   * @param id a number that is unique among running scans
   * @param priority the priority that its caller asked for; larger is more urgent
   * @param serversHeld the number of servers that work for it now
   * @param serversWanted the number of servers that it can use (PNUTS §3, adaptive server
   *     allocation)
   * @param waited the time since it last got a server
   */
  record Scan(long id, int priority, int serversHeld, int serversWanted, Duration waited) {}
}
