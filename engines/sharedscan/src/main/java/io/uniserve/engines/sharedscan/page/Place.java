package io.uniserve.engines.sharedscan.page;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The place of the last record that a page gave. Records are ordered by the value that decides
 * where they are, and then by a digest of all values. Those with the same digest are equal: it does
 * not matter which of them were given, but how many.
 *
 * @param key the value that decides where the record is, in {@linkplain
 *     io.uniserve.engines.sharedscan.data.Cells compact form}
 * @param high the first half of the digest
 * @param low the other half
 * @param given the number of equal records that have been given
 * @param read the number of records that have been read, about
 */
@Name("Place")
public record Place(ByteBuffer key, long high, long low, long given, long read) {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(Place.class));

  static Place of(ByteBuffer bytes) {
    return TYPES.decode(bytes.duplicate(), Place.class);
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(TYPES.encode(this));
  }
}
