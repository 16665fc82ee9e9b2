package io.uniserve.sql.stages;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The place where a page of a SQL table begins.
 *
 * @param key the last primary key that was given, as texts; none at the beginning
 * @param rows the number of rows that a page probably has
 * @param total an estimate of the actor's rows
 */
@Name("ScanPlace")
record ScanPlace(List<String> key, int rows, long total) {
  /** The rows of a first page. */
  static final int FIRST_ROWS = 256;

  private static final int ROWS_MAX = 1 << 20;
  private static final int WIDER_BY_MAX = 8;
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(ScanPlace.class));

  /** Copies the key. */
  ScanPlace {
    key = List.copyOf(key);
    rows = Math.clamp(rows, 1, ROWS_MAX);
  }

  static ScanPlace of(ByteBuffer bytes) {
    return TYPES.decode(bytes.duplicate(), ScanPlace.class);
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(TYPES.encode(this));
  }

  /**
   * Returns the place after a page.
   *
   * @param last its last key
   * @param given its rows
   * @param sizeBytes their size
   * @param bytesMax the size that it should have had
   */
  ScanPlace after(List<String> last, long given, long sizeBytes, int bytesMax) {
    long wider = Math.min(ROWS_MAX, (long) rows * WIDER_BY_MAX);
    long fitting = sizeBytes == 0 ? wider : given * bytesMax / sizeBytes;
    return new ScanPlace(last, (int) Math.clamp(fitting, 1, wider), total);
  }
}
