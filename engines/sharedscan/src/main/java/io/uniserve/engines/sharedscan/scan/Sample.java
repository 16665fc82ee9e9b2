package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** An estimate of how many records pass tests, from one chunk. */
final class Sample {
  private final Chunk chunk;
  private final long[] live = new long[Chunk.WORDS];
  private final Map<Atom, long[]> passing = new HashMap<>();
  private final Map<Atom, Double> worths = new HashMap<>();

  Sample(Chunk chunk) {
    this.chunk = chunk;
    for (int word = 0; word < Chunk.WORDS; word++) {
      live[word] = chunk.liveWord(word);
    }
  }

  /** Returns the number of records of a chunk that pass a test; above zero. */
  double count(Atom atom) {
    long[] bits = passing(atom);
    return count(bits, bits);
  }

  /** Returns the number of records of a chunk that pass two tests; above zero. */
  double count(Atom one, Atom other) {
    return count(passing(one), passing(other));
  }

  /**
   * Has the test come first that is worth most as the first of several: by the share of records
   * that it leaves out, for the time that it takes.
   */
  void sort(Atom[] atoms) {
    if (atoms.length > 1) {
      Arrays.sort(atoms, Comparator.comparingDouble(this::worth).reversed());
    }
  }

  private double worth(Atom atom) {
    return worths.computeIfAbsent(
        atom, each -> (1 - count(each) / Math.max(1, chunk.live())) / each.nanos());
  }

  /**
   * Returns the nanoseconds that an operation takes in bulk for a chunk.
   *
   * @param atoms its tests, {@linkplain #sort sorted}
   */
  double nanosInBulk(Atom[] atoms) {
    double nanos = Costs.OPERATION;
    long[] bits = live.clone();
    int left = chunk.live();
    for (int i = 0; i < atoms.length && left > 0; i++) {
      if (left <= atoms[i].few()) {
        return nanos + left * Costs.LOOK;
      }
      nanos += atoms[i].nanos(left);
      long[] pass = passing(atoms[i]);
      left = 0;
      for (int word = 0; word < Chunk.WORDS; word++) {
        bits[word] &= pass[word];
        left += Long.bitCount(bits[word]);
      }
    }
    return nanos;
  }

  private long[] passing(Atom atom) {
    return passing.computeIfAbsent(
        atom,
        each -> {
          long[] bits = new long[Chunk.WORDS];
          each.test(chunk, bits);
          for (int word = 0; word < Chunk.WORDS; word++) {
            bits[word] &= live[word];
          }
          return bits;
        });
  }

  /** Counts half a record if there is none, since there may be some in other chunks. */
  private static double count(long[] one, long[] other) {
    int passing = 0;
    for (int word = 0; word < Chunk.WORDS; word++) {
      passing += Long.bitCount(one[word] & other[word]);
    }
    return Math.max(0.5, passing);
  }
}
