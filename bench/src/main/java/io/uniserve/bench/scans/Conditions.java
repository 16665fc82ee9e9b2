package io.uniserve.bench.scans;

import io.uniserve.policy.scanning.GrantPolicy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The conditions of a run.
 *
 * @param directory the directory for files
 * @param speed the factor by which ranges are shorter than the paper's
 * @param quick true for a smoke run
 */
record Conditions(Path directory, double speed, boolean quick) {
  private static final AtomicInteger TABLES = new AtomicInteger();

  /** The time that a server of the paper reads a partition: 10 MB of results at 250 KB/s. */
  private static final double PAPER_PARTITION_SECONDS = 40;

  /** Returns the time that a server reads a partition. */
  double partitionSeconds() {
    return PAPER_PARTITION_SECONDS / speed;
  }

  /** Starts a table of its own. */
  PacedTable table(GrantPolicy grants) {
    return PacedTable.start(directory.resolve("table-" + TABLES.incrementAndGet()), grants);
  }

  /** Returns the same conditions with shorter ranges. */
  Conditions faster(double factor) {
    return new Conditions(directory, speed * factor, quick);
  }
}
