package io.uniserve.simulation.fault;

import java.time.Duration;
import java.util.List;

/**
 * The kinds of faults and their frequencies.
 *
 * @param kinds that may occur; a kind that stands here twice is twice as likely
 * @param victims the processes that crash, pause, and have bad disks and clocks
 * @param servers the processes of which two may not reach each other
 * @param badDisks the processes whose disks may lose data that they promised to keep
 * @param downMax the most of them that may be down or paused at the same time
 * @param calmMax the longest time between the beginnings of two faults
 * @param faultMax the longest time that a fault lasts
 */
public record FaultSettings(
    List<FaultKind> kinds,
    List<String> victims,
    List<String> servers,
    List<String> badDisks,
    int downMax,
    Duration calmMax,
    Duration faultMax) {
  /** Copies the lists. */
  public FaultSettings {
    kinds = List.copyOf(kinds);
    victims = List.copyOf(victims);
    servers = List.copyOf(servers);
    badDisks = List.copyOf(badDisks);
  }
}
