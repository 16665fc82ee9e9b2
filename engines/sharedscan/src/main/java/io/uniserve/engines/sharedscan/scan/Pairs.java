package io.uniserve.engines.sharedscan.scan;

import java.util.Arrays;

/** Pairs of a slot and an operation. */
final class Pairs {
  private long[] pairs = new long[256];
  private int size;

  void add(int slot, int operation) {
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, size * 2);
    }
    pairs[size++] = (long) slot << Integer.SIZE | operation;
  }

  int size() {
    return size;
  }

  int slot(int i) {
    return (int) (pairs[i] >>> Integer.SIZE);
  }

  int operation(int i) {
    return (int) pairs[i];
  }

  /** Sorts them by slot, and those of a slot by operation. */
  void sort() {
    Arrays.sort(pairs, 0, size);
  }

  void clear() {
    size = 0;
  }
}
