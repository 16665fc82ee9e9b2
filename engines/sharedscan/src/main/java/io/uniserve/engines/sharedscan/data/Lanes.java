package io.uniserve.engines.sharedscan.data;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Comparisons of a chunk's numbers with two bounds, with vectors: some dozen numbers by one
 * instruction. Until the JVM has compiled them, vectors are objects, and a thousand times slower.
 */
final class Lanes {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

  private Lanes() {}

  /**
   * Clears the bit of each slot whose number is not in an interval. Numbers of 64 slots without a
   * bit are not looked at.
   *
   * @param width the size of a number in bytes
   * @param low inclusive, a number of this width
   * @param high inclusive, a number of this width
   */
  static void narrow(MemorySegment data, long offset, int width, long low, long high, long[] bits) {
    switch (width) {
      case Byte.BYTES -> bytes(data, offset, (byte) low, (byte) high, bits);
      case Short.BYTES -> shorts(data, offset, (short) low, (short) high, bits);
      case Integer.BYTES -> ints(data, offset, (int) low, (int) high, bits);
      default -> longs(data, offset, low, high, bits);
    }
  }

  private static void bytes(MemorySegment data, long offset, byte low, byte high, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      if (bits[word] == 0) {
        continue;
      }
      long at = offset + (long) word * Long.SIZE;
      long found = 0;
      for (int lane = 0; lane < Long.SIZE; lane += BYTES.length()) {
        ByteVector numbers = ByteVector.fromMemorySegment(BYTES, data, at, ORDER);
        found |=
            numbers
                    .compare(VectorOperators.GE, low)
                    .and(numbers.compare(VectorOperators.LE, high))
                    .toLong()
                << lane;
        at += BYTES.vectorByteSize();
      }
      bits[word] &= found;
    }
  }

  private static void shorts(MemorySegment data, long offset, short low, short high, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      if (bits[word] == 0) {
        continue;
      }
      long at = offset + (long) word * Long.SIZE * Short.BYTES;
      long found = 0;
      for (int lane = 0; lane < Long.SIZE; lane += SHORTS.length()) {
        ShortVector numbers = ShortVector.fromMemorySegment(SHORTS, data, at, ORDER);
        found |=
            numbers
                    .compare(VectorOperators.GE, low)
                    .and(numbers.compare(VectorOperators.LE, high))
                    .toLong()
                << lane;
        at += SHORTS.vectorByteSize();
      }
      bits[word] &= found;
    }
  }

  private static void ints(MemorySegment data, long offset, int low, int high, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      if (bits[word] == 0) {
        continue;
      }
      long at = offset + (long) word * Long.SIZE * Integer.BYTES;
      long found = 0;
      for (int lane = 0; lane < Long.SIZE; lane += INTS.length()) {
        IntVector numbers = IntVector.fromMemorySegment(INTS, data, at, ORDER);
        found |=
            numbers
                    .compare(VectorOperators.GE, low)
                    .and(numbers.compare(VectorOperators.LE, high))
                    .toLong()
                << lane;
        at += INTS.vectorByteSize();
      }
      bits[word] &= found;
    }
  }

  private static void longs(MemorySegment data, long offset, long low, long high, long[] bits) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      if (bits[word] == 0) {
        continue;
      }
      long at = offset + (long) word * Long.SIZE * Long.BYTES;
      long found = 0;
      for (int lane = 0; lane < Long.SIZE; lane += LONGS.length()) {
        LongVector numbers = LongVector.fromMemorySegment(LONGS, data, at, ORDER);
        found |=
            numbers
                    .compare(VectorOperators.GE, low)
                    .and(numbers.compare(VectorOperators.LE, high))
                    .toLong()
                << lane;
        at += LONGS.vectorByteSize();
      }
      bits[word] &= found;
    }
  }
}
