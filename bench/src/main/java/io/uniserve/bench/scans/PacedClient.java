package io.uniserve.bench.scans;

import io.uniserve.bench.base.BenchException;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanProgress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A client that consumes the results of a scan at a fixed rate, and notes what becomes of it.
 *
 * @param bytesPerSecond its rate; infinite if it is never the reason to wait
 */
record PacedClient(double bytesPerSecond) {
  /**
   * A moment of a scan.
   *
   * @param seconds the time since it was asked for
   * @param desired K
   * @param held the slots that it had
   */
  record Moment(double seconds, int desired, int held) {}

  /**
   * A scan that has ended.
   *
   * @param seconds the time until its end
   * @param firstSeconds the time until its first results
   * @param moments some moments, in order
   */
  record Ended(double seconds, double firstSeconds, List<Moment> moments) {
    private static final double BEGIN = 0.4;
    private static final double END = 0.8;

    /** Returns the mean of K in the middle, after the search for it and before parts run out. */
    double desired() {
      double sum = 0;
      double weight = 0;
      for (int i = 1; i < moments.size(); i++) {
        Moment before = moments.get(i - 1);
        if (before.seconds() > BEGIN * seconds && before.seconds() < END * seconds) {
          double length = moments.get(i).seconds() - before.seconds();
          sum += before.desired() * length;
          weight += length;
        }
      }
      return weight == 0 ? moments.getLast().desired() : sum / weight;
    }
  }

  /**
   * Scans to the end.
   *
   * @param scans begins the scan
   * @param records the number of records that it has to give
   */
  Ended read(Supplier<Scan> scans, long records) {
    long began = System.nanoTime();
    double first = Double.NaN;
    double free = 0;
    List<Moment> moments = new ArrayList<>();
    try (Scan scan = scans.get()) {
      Optional<List<ByteBuffer>> blocks = scan.nextBlocks();
      while (blocks.isPresent()) {
        double now = secondsSince(began);
        first = Double.isNaN(first) ? now : first;
        ScanProgress progress = scan.progress();
        moments.add(new Moment(now, progress.desired(), progress.held()));
        long bytes = blocks.get().stream().mapToLong(ByteBuffer::remaining).sum();
        free = Math.max(free, now) + bytes / bytesPerSecond;
        Pause.nanos((long) ((free - secondsSince(began)) * 1e9));
        blocks = scan.nextBlocks();
      }
      if (scan.progress().records() != records) {
        throw new BenchException(
            "A scan gave %d records of %d".formatted(scan.progress().records(), records));
      }
    }
    return new Ended(secondsSince(began), first, moments);
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }
}
