package io.uniserve.runtime.client.load;

/**
 * An estimate of how often each of many things came, in little memory, and never too low (a
 * count-min sketch). Old counts fade by halving. For one thread.
 */
final class CountSketch {
  private static final int ROWS = 4;
  private static final int WIDTH = 1 << 11;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final int[][] counts = new int[ROWS][WIDTH];

  /** Counts a thing some more times; returns the estimate for it. */
  int add(int hash, int times) {
    int least = Integer.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      int place = place(hash, row);
      counts[row][place] += times;
      least = Math.min(least, counts[row][place]);
    }
    return least;
  }

  /** Halves every count. */
  void halve() {
    for (int[] row : counts) {
      for (int place = 0; place < WIDTH; place++) {
        row[place] >>>= 1;
      }
    }
  }

  private static int place(int hash, int row) {
    long mixed = (hash + (row + 1) * GOLDEN) * GOLDEN;
    mixed = (mixed ^ mixed >>> 32) * GOLDEN;
    return (int) (mixed >>> 40) & WIDTH - 1;
  }
}
