package io.uniserve.api.partition;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A key in order-preserving bytes. Comparing two keys byte by byte, unsigned, orders them as the
 * values that they were made from. The same keys therefore serve hash and range partitioning. A key
 * has at most {@value #SIZE_BYTES_MAX} bytes.
 */
public final class PartitionKey implements Comparable<PartitionKey> {
  /** The longest key, in bytes. */
  public static final int SIZE_BYTES_MAX = 32 << 10;

  /** The least of all keys, which has no bytes. */
  public static final PartitionKey LEAST = new PartitionKey(new byte[0]);

  private final byte[] bytes;

  private PartitionKey(byte[] bytes) {
    if (bytes.length > SIZE_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "partition key of " + bytes.length + " bytes, at most " + SIZE_BYTES_MAX);
    }
    this.bytes = bytes;
  }

  /** Makes a key from text. Such keys are ordered by code point. */
  public static PartitionKey of(String text) {
    return new PartitionKey(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Makes a key from a signed number. Such keys are ordered by value. */
  public static PartitionKey of(long number) {
    byte[] bytes = new byte[Long.BYTES];
    long biased = number ^ Long.MIN_VALUE;
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[i] = (byte) (biased >>> (56 - 8 * i));
    }
    return new PartitionKey(bytes);
  }

  /** Makes a key from bytes that already are order-preserving. Copies the array. */
  public static PartitionKey of(byte[] bytes) {
    return new PartitionKey(bytes.clone());
  }

  /** Returns a copy of the key's bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Returns a 64-bit hash that is the same on every machine and in every version (FNV-1a, finished
   * as in SplitMix64).
   */
  public long stableHash() {
    long hash = 0xcbf29ce484222325L;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }

  @Override
  public int compareTo(PartitionKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return isPrintable()
        ? "'" + new String(bytes, StandardCharsets.US_ASCII) + "'"
        : HexFormat.of().formatHex(bytes);
  }

  private boolean isPrintable() {
    for (byte b : bytes) {
      if (b < ' ' || b > '~') {
        return false;
      }
    }
    return true;
  }
}
