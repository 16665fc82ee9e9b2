package io.uniserve.engines.olap.page;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The place behind a page. Rows are ordered by time, and then by the hash of their dimensions. All
 * rows of one time and hash are on one page, since rows that roll up later are among these.
 *
 * @param keyMillis the time of the last rows, in milliseconds since 1970
 * @param hash the hash of their dimensions
 * @param read the number of rows that have been read, about
 */
@Name("RowPlace")
record RowPlace(long keyMillis, long hash, long read) {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(RowPlace.class));

  static RowPlace of(ByteBuffer bytes) {
    return TYPES.decode(bytes.duplicate(), RowPlace.class);
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(TYPES.encode(this));
  }
}
