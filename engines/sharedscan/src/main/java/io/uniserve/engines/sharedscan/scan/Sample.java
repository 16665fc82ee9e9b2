package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.util.HashMap;
import java.util.Map;

/** An estimate of how many records pass tests, from one chunk. */
final class Sample {
  private final Chunk chunk;
  private final Map<Atom, long[]> passing = new HashMap<>();
  private final Map<Atom, Double> shares = new HashMap<>();

  Sample(Chunk chunk) {
    this.chunk = chunk;
  }

  /** Returns the share of records that pass a test; above zero. */
  double share(Atom atom) {
    return shares.computeIfAbsent(
        atom,
        each -> {
          long[] bits = passing(each);
          return share(bits, bits);
        });
  }

  /** Returns the share of records that pass two tests; above zero. */
  double share(Atom one, Atom other) {
    return share(passing(one), passing(other));
  }

  /**
   * Returns how much a test is worth as the first of several: the share of records that it leaves
   * out, for each byte that it reads of a record.
   */
  double worth(Atom atom) {
    int width = chunk.schema().column(atom.column()).type().widthBytes();
    return (1 - share(atom)) / (atom.passes() * width);
  }

  private long[] passing(Atom atom) {
    return passing.computeIfAbsent(
        atom,
        each -> {
          long[] bits = new long[Chunk.WORDS];
          each.test(chunk, bits);
          for (int word = 0; word < Chunk.WORDS; word++) {
            bits[word] &= chunk.liveWord(word);
          }
          return bits;
        });
  }

  /** Counts half a record if there is none, since there may be some in other chunks. */
  private double share(long[] one, long[] other) {
    int passing = 0;
    for (int word = 0; word < Chunk.WORDS; word++) {
      passing += Long.bitCount(one[word] & other[word]);
    }
    return Math.max(0.5, passing) / Math.max(1, chunk.live());
  }
}
