package io.uniserve.api.partition;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The places of keys on a ring (<i>Crescando/RB</i> §6.2). In a table that is partitioned by range
 * the place of a key is the key. In one that is partitioned by hash it is a number from 0 to the
 * number of actors that the table began with: its whole part is the first actor of the key, and its
 * bits after the point are those that splits look at, in that order. So whatever splits make of an
 * actor is a range of places.
 */
public final class RingPlaces {
  private static final BigDecimal UNIT = BigDecimal.valueOf(1L << PartitionChange.Where.BITS);
  private static final int HASH_BYTES = Integer.BYTES + Long.BYTES;

  private RingPlaces() {}

  /** Returns the place of a key. */
  public static PartitionKey of(Partitioner partitioner, PartitionKey key) {
    if (partitioner.base() instanceof Partitioner.Range) {
      return key;
    }
    int actors = partitioner.base().actors();
    long hash = key.stableHash();
    return ofHash(
        (int) Long.remainderUnsigned(hash, actors),
        Long.reverse(Long.divideUnsigned(hash, actors)));
  }

  /** Returns a place of a hash, whose bits after the point are those of a number. */
  static PartitionKey ofHash(int actor, long fraction) {
    return PartitionKey.of(ByteBuffer.allocate(HASH_BYTES).putInt(actor).putLong(fraction).array());
  }

  /**
   * Reads a place at which actors can be cut.
   *
   * @param text the text of a key, or {@code 0x} and its bytes; or a number such as {@code 3.25} if
   *     the table is partitioned by hash
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT}
   */
  public static PartitionKey parse(Partitioner partitioner, String text) {
    if (partitioner.base() instanceof Partitioner.Range) {
      return text.matches("0x([0-9a-fA-F]{2})*")
          ? PartitionKey.of(HexFormat.of().parseHex(text.substring(2)))
          : PartitionKey.of(text);
    }
    if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,32})?")) {
      throw UniserveException.invalid(
          "'" + Excerpt.of(text) + "' is no place of a hash: one is a number such as 3.25");
    }
    BigDecimal place = new BigDecimal(text);
    int actors = partitioner.base().actors();
    if (place.compareTo(BigDecimal.valueOf(actors)) >= 0) {
      throw UniserveException.invalid("place " + text + " is not below " + actors);
    }
    BigDecimal units = place.remainder(BigDecimal.ONE).multiply(UNIT);
    if (units.stripTrailingZeros().scale() > 0) {
      throw UniserveException.invalid(
          "no actor can be cut at "
              + text
              + ": the places are halves of actors, halves of these, and so on, such as 3.25");
    }
    return ofHash(
        place.intValue(), units.longValueExact() << Long.SIZE - PartitionChange.Where.BITS);
  }

  /** Returns the text of a place, which {@link #parse} reads. */
  public static String text(Partitioner partitioner, PartitionKey place) {
    byte[] bytes = place.bytes();
    if (partitioner.base() instanceof Partitioner.Range) {
      String text = new String(bytes, StandardCharsets.US_ASCII);
      return text.chars().allMatch(c -> c >= ' ' && c <= '~') && !text.startsWith("0x")
          ? text
          : "0x" + HexFormat.of().formatHex(bytes);
    }
    ByteBuffer parts = ByteBuffer.wrap(bytes);
    int actor = parts.getInt();
    long units = parts.getLong() >>> Long.SIZE - PartitionChange.Where.BITS;
    return BigDecimal.valueOf(units)
        .divide(UNIT)
        .add(BigDecimal.valueOf(actor))
        .stripTrailingZeros()
        .toPlainString();
  }

  /**
   * Returns the place in the middle between two of a hash.
   *
   * @param to the end, exclusive; not below the beginning
   */
  public static PartitionKey middle(PartitionKey from, PartitionKey to) {
    return ofUnits(units(from) + (units(to) - units(from)) / 2);
  }

  /** Returns the distance from one place of a hash to another, in parts of an actor. */
  public static long units(PartitionKey place) {
    ByteBuffer parts = ByteBuffer.wrap(place.bytes());
    long actor = parts.getInt();
    return (actor << PartitionChange.Where.BITS)
        + (parts.getLong() >>> Long.SIZE - PartitionChange.Where.BITS);
  }

  /** Returns the place that is a number of parts of an actor after the first. */
  public static PartitionKey ofUnits(long units) {
    return ofHash(
        (int) (units >>> PartitionChange.Where.BITS),
        units << Long.SIZE - PartitionChange.Where.BITS);
  }
}
