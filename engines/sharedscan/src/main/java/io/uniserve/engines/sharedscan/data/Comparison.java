package io.uniserve.engines.sharedscan.data;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;

/**
 * The comparison of all numbers of a chunk with two bounds. It is made number by number until a
 * thread in the background has had the {@linkplain Lanes vectors} compiled, which takes about a
 * second, or some if the processor is busy; and for ever if the JVM never compiles them well.
 */
final class Comparison {
  /** The longest time in which the JVM may compile them, whose compiler may have much to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** The tries of one width before others get the processor between any two. */
  private static final int TRIES = 500;

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** The longest time of one comparison from which on vectors are worth their while. */
  private static final long NANOS_MAX = 20_000;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static volatile boolean compiled;

  static {
    Thread.ofPlatform().daemon().name("compile comparisons").start(Comparison::compile);
  }

  private Comparison() {}

  /** Has the compilation begin, at the latest now, before the first comparison is needed. */
  static void prepare() {
    // it begins when the class is loaded
  }

  /** Has the JVM compile the comparisons of all widths. */
  private static void compile() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate((long) Chunk.SLOTS * Long.BYTES, Long.BYTES);
      long[] bits = new long[Chunk.WORDS];
      boolean fast = true;
      for (int width = 1; fast && width <= Long.BYTES; width *= 2) {
        fast = becomesFast(data, width, bits);
      }
      compiled = fast;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean becomesFast(MemorySegment data, int width, long[] bits)
      throws InterruptedException {
    long started = System.nanoTime();
    for (int i = 0; System.nanoTime() - started < PATIENCE.toNanos(); i++) {
      long began = System.nanoTime();
      Arrays.fill(bits, -1);
      Lanes.narrow(data, 0, width, -i % Byte.MAX_VALUE, i % Byte.MAX_VALUE, bits);
      if (System.nanoTime() - began <= NANOS_MAX) {
        return true;
      }
      if (i > TRIES) {
        Thread.sleep(PAUSE);
      }
    }
    return false;
  }

  /**
   * Clears the bit of each slot whose number is not in an interval. Numbers of 64 slots without a
   * bit are not looked at.
   *
   * @param width the size of a number in bytes
   * @param low inclusive
   * @param high inclusive
   */
  static void narrow(MemorySegment data, long offset, int width, long low, long high, long[] bits) {
    int unused = Long.SIZE - Byte.SIZE * width;
    long from = Math.max(low, Long.MIN_VALUE >> unused);
    long to = Math.min(high, Long.MAX_VALUE >> unused);
    if (from > to) {
      Arrays.fill(bits, 0);
    } else if (compiled) {
      Lanes.narrow(data, offset, width, from, to, bits);
    } else {
      oneByOne(data, offset, width, from, to, bits);
    }
  }

  /** Does the same number by number. */
  static void oneByOne(
      MemorySegment data, long offset, int width, long low, long high, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      if (bits[word] == 0) {
        continue;
      }
      long at = offset + (long) word * Long.SIZE * width;
      bits[word] &=
          switch (width) {
            case Byte.BYTES -> bytes(data, at, low, high);
            case Short.BYTES -> shorts(data, at, low, high);
            case Integer.BYTES -> ints(data, at, low, high);
            default -> longs(data, at, low, high);
          };
    }
  }

  private static long bytes(MemorySegment data, long at, long low, long high) {
    long found = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      long number = data.get(BYTE, at + i);
      found |= (number >= low && number <= high ? 1L : 0) << i;
    }
    return found;
  }

  private static long shorts(MemorySegment data, long at, long low, long high) {
    long found = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      long number = data.get(SHORT, at + (long) i * Short.BYTES);
      found |= (number >= low && number <= high ? 1L : 0) << i;
    }
    return found;
  }

  private static long ints(MemorySegment data, long at, long low, long high) {
    long found = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      long number = data.get(INT, at + (long) i * Integer.BYTES);
      found |= (number >= low && number <= high ? 1L : 0) << i;
    }
    return found;
  }

  private static long longs(MemorySegment data, long at, long low, long high) {
    long found = 0;
    for (int i = 0; i < Long.SIZE; i++) {
      long number = data.get(LONG, at + (long) i * Long.BYTES);
      found |= (number >= low && number <= high ? 1L : 0) << i;
    }
    return found;
  }
}
