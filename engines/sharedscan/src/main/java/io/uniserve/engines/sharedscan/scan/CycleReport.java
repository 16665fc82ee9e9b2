package io.uniserve.engines.sharedscan.scan;

import java.util.Map;

/**
 * The work of one cycle.
 *
 * @param operations the number of operations
 * @param records the number of records before it
 * @param nanos its duration
 * @param indexes the ways in which the operations were found
 */
public record CycleReport(int operations, long records, long nanos, Indexes indexes) {
  /** The report before the first cycle. */
  public static final CycleReport NONE =
      new CycleReport(0, 0, 0, new Indexes(Map.of(), Map.of(), 0));

  /**
   * The ways in which operations are found.
   *
   * @param byHash the number of those in a hash index, by its columns
   * @param byTree the number of those in a tree of ranges, by column
   * @param inBulk the number of those that are evaluated in bulk
   */
  public record Indexes(Map<String, Integer> byHash, Map<String, Integer> byTree, int inBulk) {}
}
