package io.uniserve.simulation.disk;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The remains of bytes that were written and not forced, after a crash of the machine. */
final class TornTail {
  private static final int SECTOR_BYTES = 512;

  private TornTail() {}

  /**
   * Returns a file after a crash.
   *
   * @param written the file
   * @param durable the number of its first bytes that were forced
   * @return the file after the crash
   */
  static byte[] of(byte[] written, int durable, RandomGenerator random) {
    if (written.length == durable) {
      return written;
    }
    int kept = random.nextInt(durable, written.length + 1);
    return switch (random.nextInt(4)) {
      case 0 -> Arrays.copyOf(written, durable);
      case 1 -> written;
      case 2 -> Arrays.copyOf(written, kept);
      default -> damaged(written, durable, kept, random);
    };
  }

  /**
   * Returns the file if its length reached the disk, but the last sectors did not: they have
   * zeroes, or their former contents.
   */
  private static byte[] damaged(byte[] written, int durable, int kept, RandomGenerator random) {
    byte[] after = Arrays.copyOf(written, kept);
    int from = Math.max(durable, kept - random.nextInt(1, 2 * SECTOR_BYTES));
    if (random.nextBoolean()) {
      Arrays.fill(after, from, kept, (byte) 0);
    } else {
      byte[] former = new byte[kept - from];
      random.nextBytes(former);
      System.arraycopy(former, 0, after, from, former.length);
    }
    return after;
  }
}
