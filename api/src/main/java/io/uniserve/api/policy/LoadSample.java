package io.uniserve.api.policy;

import io.uniserve.api.Usage;
import java.time.Instant;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The load of the cluster's servers over a short time (DPA §4.5: "CPU utilization, memory and disk
 * usage, and total query load of each server").
 *
 * @param at the end of that time
 * @param servers the servers that could serve, by name
 * @param latencyMillis the 99th percentile of the time that operators took, waiting included, in
 *     milliseconds; empty if none ran
 */
public record LoadSample(
    Instant at, SortedMap<String, ServerSample> servers, OptionalDouble latencyMillis) {

  /** Returns the mean utilisation of the servers, 0 to 1; 0 if there are none. */
  public double utilization() {
    return servers.values().stream().mapToDouble(ServerSample::utilization).average().orElse(0);
  }

  /** Returns the work of all servers, as a number of fully busy servers. */
  public double busyServers() {
    return servers.values().stream().mapToDouble(ServerSample::utilization).sum();
  }

  /**
   * * The load of one server.
   *
   * @param utilization the part of its capacity to compute that it used, 0 to 1
   * @param queryLoad the summed cost of the operators that it ran, per second
   * @param usage the space that its actors occupy
   */
  public record ServerSample(double utilization, double queryLoad, Usage usage) {}
}
