package io.uniserve.node.http.document;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The ranges of keys that have about equally many records, as far as a sample of these says. */
final class SampledRanges {
  private SampledRanges() {}

  /**
   * Returns ranges whose bounds are quantiles of a sample.
   *
   * @param sample the keys of some records, in any order
   * @param actors the number of ranges
   * @throws UniserveException if the sample has too few different keys
   */
  static Partitioner.Range of(List<PartitionKey> sample, int actors) {
    List<PartitionKey> sorted = sample.stream().sorted().toList();
    List<PartitionKey> bounds = quantiles(sorted, actors);
    // Keys of many records each may be several quantiles, so that there are too few bounds.
    List<PartitionKey> different = new ArrayList<>(new TreeSet<>(sorted));
    if (bounds.size() < actors - 1) {
      bounds = quantiles(different, actors);
    }
    if (bounds.size() < actors - 1) {
      throw UniserveException.invalid(
          "table: a sample with "
              + different.size()
              + " different keys cannot cut it into "
              + actors
              + " ranges");
    }
    return new Partitioner.Range(bounds);
  }

  /** Returns the different quantiles of sorted keys that leave something below the first. */
  private static List<PartitionKey> quantiles(List<PartitionKey> sorted, int parts) {
    TreeSet<PartitionKey> bounds = new TreeSet<>();
    for (int i = 1; i < parts; i++) {
      bounds.add(sorted.get((int) ((long) i * sorted.size() / parts)));
    }
    bounds.remove(sorted.getFirst());
    return List.copyOf(bounds);
  }
}
