package io.uniserve.runtime.server.keys;

import io.uniserve.runtime.wire.entry.Hash;
import java.util.Iterator;

/** A Bloom filter over the names of keys, with one byte for each key. */
final class KeyFilter {
  private static final int BITS_EACH = 8;
  private static final int MARKS = 3;

  private final long[] bits;

  /**
   * @param count the number of keys, or more
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

  /** Returns false only if no key has the name. */
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
