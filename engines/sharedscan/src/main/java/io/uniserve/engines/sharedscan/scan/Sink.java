package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;

/** The receiver of a query's records. The thread of the scan calls it, and must not wait in it. */
public interface Sink {
  /** Takes a record. */
  void take(Chunk chunk, int slot);

  /** Takes the records of slots whose bits are set. */
  default void takeAll(Chunk chunk, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      long rest = bits[word];
      while (rest != 0 && wantsMore()) {
        take(chunk, word * Long.SIZE + Long.numberOfTrailingZeros(rest));
        rest &= rest - 1;
      }
    }
  }

  /** Returns whether it wants further records; false if nobody waits for them any more. */
  boolean wantsMore();
}
