package io.uniserve.runtime.wire.entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first 128 bits of a SHA-256: collisions cannot be found in practice.
 *
 * @param high the first 64 bits
 * @param low the others
 */
public record Hash(long high, long low) implements Comparable<Hash> {
  /** A hash that no value has. */
  public static final Hash NONE = new Hash(0, 0);

  /** Returns the hash of a text. */
  public static Hash of(String text) {
    return of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the hash of parts; it depends on how they are cut. */
  public static Hash of(ByteBuffer... parts) {
    MessageDigest digest = sha256();
    for (ByteBuffer part : parts) {
      if (parts.length > 1) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.remaining()));
      }
      digest.update(part.duplicate());
    }
    ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
    return new Hash(bytes.getLong(), bytes.getLong());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public int compareTo(Hash other) {
    int first = Long.compareUnsigned(high, other.high);
    return first != 0 ? first : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return "%016x%016x".formatted(high, low);
  }
}
