package io.uniserve.api.policy;

import java.time.Duration;
import java.util.List;

/** Decides which running scan gets a server that became free (PNUTS §4, scheduling). */
@FunctionalInterface
public interface ScanPriority {

  /** The place, within the list, of the scan that gets the server. The list is never empty. */
  int next(String server, List<Scan> waiting);

  /**
   * A scan that waits for this server.
   *
   * @param id unique among running scans
   * @param priority its caller's wish; larger is more urgent
   * @param serversHeld how many servers work for it now
   * @param serversWanted how many it can use (PNUTS §3, adaptive server allocation)
   * @param waited since it last got a server
   */
  record Scan(long id, int priority, int serversHeld, int serversWanted, Duration waited) {}
}
