package io.uniserve.simulation.scan;

import java.util.List;

/**
 * The outcome of one scan.
 *
 * @param query the scan that was asked for
 * @param firstSeconds the time from its arrival until its first result, or until its end if it has
 *     none
 * @param seconds the time from its arrival until its client has consumed all
 * @param endSeconds the time of its end
 * @param samples its course, if it was traced
 */
public record ScanOutcome(
    ScanQuery query, double firstSeconds, double seconds, double endSeconds, List<Sample> samples) {

  /**
   * A moment of a scan.
   *
   * @param seconds the time
   * @param desired the slots desired
   * @param held the slots held
   * @param consumedKb the amount that its client has consumed
   */
  public record Sample(double seconds, int desired, int held, double consumedKb) {}
}
