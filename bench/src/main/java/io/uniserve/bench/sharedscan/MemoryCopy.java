package io.uniserve.bench.sharedscan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The time to copy memory, by which scans of memory are judged. */
final class MemoryCopy {
  private static final long PART_BYTES = 64L << 20;
  private static final int TIMES = 15;
  private static final long ALIGNMENT = 64;

  private MemoryCopy() {}

  /** Returns the shortest time to copy so many bytes outside the heap by one thread. */
  static long nanosOf(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(PART_BYTES, ALIGNMENT).fill((byte) 1);
      MemorySegment to = arena.allocate(PART_BYTES, ALIGNMENT);
      long shortest = Long.MAX_VALUE;
      for (int i = 0; i < TIMES; i++) {
        long began = System.nanoTime();
        to.copyFrom(from);
        shortest = Math.min(shortest, System.nanoTime() - began);
      }
      return (long) ((double) shortest * bytes / PART_BYTES);
    }
  }
}
