package io.uniserve.backends.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of this process, as the system counts it. Databases keep their limits for memory that
 * they manage as pages. Values that functions make, such as long texts, are not counted there.
 */
final class ResidentMemory {
  private static final System.Logger LOG = System.getLogger(ResidentMemory.class.getName());
  private static final Path FILE = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4096;

  /**
   * The allowance beyond heap and budget, for classes, code and threads of the JVM and for memory
   * that is being freed.
   */
  private static final double SLACK = 1.1;

  /** The least growth that makes a statement a suspect for filling the memory. */
  private static final long SUSPICIOUS_BYTES = 64L << 20;

  private static final long MOMENT_NANOS = 5_000_000;

  private record Reading(long nanos, long bytes) {}

  private static volatile Reading newest = new Reading(System.nanoTime() - MOMENT_NANOS, 0);

  private ResidentMemory() {}

  /** Returns the bytes that the process may have. */
  static long bytesMax() {
    long budget = MemoryBudget.ofThisProcess().megabytes() << 20;
    return (long) (SLACK * (Runtime.getRuntime().maxMemory() + budget));
  }

  /** Returns the bytes that the process has, or had a moment ago; 0 if the system does not tell. */
  static long bytes() {
    Reading now = newest;
    if (System.nanoTime() - now.nanos > MOMENT_NANOS) {
      now = new Reading(System.nanoTime(), read());
      newest = now;
    }
    return now.bytes;
  }

  private static long read() {
    try {
      return Files.isReadable(FILE)
          ? Long.parseLong(Files.readString(FILE).split(" ")[1]) * PAGE_BYTES
          : 0;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "this system does not tell how much memory is used", e);
      return 0;
    }
  }

  /** Returns whether the process has more memory than it may have. */
  static boolean isTooMuch() {
    return bytes() > bytesMax();
  }

  /**
   * Returns whether a statement should end because the process has too much memory and the
   * statement may have taken it.
   *
   * @param before the bytes of the process when the statement began
   */
  static boolean isTooMuchSince(long before) {
    return isTooMuch() && bytes() - before > SUSPICIOUS_BYTES;
  }
}
