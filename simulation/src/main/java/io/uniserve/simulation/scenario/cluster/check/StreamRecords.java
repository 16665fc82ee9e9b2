package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;

/** The check of a table against the topic that was read into it. */
public final class StreamRecords {
  private StreamRecords() {}

  /**
   * Requires that each record is in the journals exactly once, and those of a partition and key in
   * their order.
   *
   * @param topic the records of each partition, in their order
   * @param mayBeGone tells whether the table may have lost an operation
   */
  public static void check(
      List<List<Operation>> topic,
      SortedMap<Integer, List<Operation>> journals,
      Predicate<Operation> mayBeGone) {
    Map<Operation, Integer> counts = new LinkedHashMap<>();
    Map<Operation, Integer> places = new LinkedHashMap<>();
    journals
        .values()
        .forEach(
            journal -> {
              for (int i = 0; i < journal.size(); i++) {
                counts.merge(journal.get(i), 1, Integer::sum);
                places.put(journal.get(i), i);
              }
            });
    for (List<Operation> partition : topic) {
      Map<Long, Operation> last = new LinkedHashMap<>();
      for (Operation record : partition) {
        int count = counts.getOrDefault(record, 0);
        Invariant.STREAM_RECORDS_ONCE.require(
            count == 1 || count == 0 && mayBeGone.test(record),
            () -> record + " of the topic is stored " + count + " times in " + journals);
        if (count == 1) {
          Operation before = last.put(record.key(), record);
          Invariant.STREAM_RECORDS_ONCE.require(
              before == null || places.get(before) < places.get(record),
              () -> record + " of the topic stands before " + before + " in " + journals);
        }
      }
    }
  }
}
