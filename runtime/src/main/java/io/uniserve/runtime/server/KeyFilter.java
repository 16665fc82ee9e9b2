package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.Hash;
import java.util.Iterator;

/** Tells of most names that are not among some that they are not (a Bloom filter): a byte each. */
final class KeyFilter {
  private static final int BITS_EACH = 8;
  private static final int MARKS = 3;

  private final long[] bits;

  /**
   * @param count of the keys, or more
   */
  KeyFilter(Iterator<AppliedKey> keys, long count) {
    bits = new long[(int) (count * BITS_EACH / Long.SIZE) + 1];
    keys.forEachRemaining(this::mark);
  }

  private void mark(AppliedKey key) {
    for (int i = 0; i < MARKS; i++) {
      int bit = bit(key.name(), i);
      bits[bit / Long.SIZE] |= 1L << bit;
    }
  }

  /** False only if no key has the name. */
  boolean mayHave(Hash name) {
    for (int i = 0; i < MARKS; i++) {
      int bit = bit(name, i);
      if ((bits[bit / Long.SIZE] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private int bit(Hash name, int mark) {
    return (int)
        Long.remainderUnsigned(name.low() + mark * name.high(), (long) bits.length * Long.SIZE);
  }
}
