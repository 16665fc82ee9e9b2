package io.uniserve.simulation.queueing;

import java.util.Arrays;
import java.util.List;

/** The distribution of queue sizes: one sample for each server and tick. */
public final class QueueSizes {
  private long[] counts = new long[64];
  private long total;

  /** Returns all samples of some together. */
  public static QueueSizes sum(List<QueueSizes> parts) {
    QueueSizes sum = new QueueSizes();
    for (QueueSizes part : parts) {
      for (int size = 0; size < part.counts.length; size++) {
        if (part.counts[size] > 0) {
          sum.add(size, part.counts[size]);
        }
      }
    }
    return sum;
  }

  void add(int size, long times) {
    while (size >= counts.length) {
      counts = Arrays.copyOf(counts, counts.length * 2);
    }
    counts[size] += times;
    total += times;
  }

  /** Returns the size at a percentile: the sample at floor(n × percent / 100) of all in order. */
  public int percentile(double percent) {
    long place = Math.min(total - 1, (long) (total * percent / 100));
    int size = 0;
    long seen = counts[0];
    while (seen <= place) {
      seen += counts[++size];
    }
    return size;
  }

  /** Returns the share of samples that are not above a size. */
  public double upTo(int size) {
    long seen = 0;
    for (int other = 0; other <= Math.min(size, counts.length - 1); other++) {
      seen += counts[other];
    }
    return seen / (double) total;
  }
}
