package io.uniserve.sql.arrow;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.ValueVectorUtility;
import org.apache.arrow.vector.validate.ValidateUtil.ValidateException;

/**
 * A check of Arrow rows from outside. Arrow trusts the offsets and lengths in them. A reader of a
 * value first allocates the length that it claims, and a database reads at any offset.
 */
public final class SoundRows {
  private SoundRows() {}

  /**
   * Checks that all values lie within their buffers. It reads offsets and no values: Arrow's own
   * full check makes an object of each value, even one that claims a huge length.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming a column with values
   *     outside of its buffers, or with another number of values than there are rows
   */
  public static void require(VectorSchemaRoot rows) {
    for (FieldVector column : rows.getFieldVectors()) {
      if (column.getValueCount() != rows.getRowCount()) {
        throw UniserveException.invalid(
            "'%s' has %d values for %d rows"
                .formatted(column.getName(), column.getValueCount(), rows.getRowCount()));
      }
      require(column);
    }
  }

  private static void require(FieldVector column) {
    try {
      ValueVectorUtility.validate(column);
    } catch (ValidateException | IndexOutOfBoundsException e) {
      throw UniserveException.invalid(
          "'%s' is damaged: %s".formatted(column.getName(), e.getMessage()));
    }
    switch (column) {
      case BaseVariableWidthVector values ->
          requireOffsets(
              column,
              i -> values.getOffsetBuffer().getInt(i * BaseVariableWidthVector.OFFSET_WIDTH));
      case BaseLargeVariableWidthVector values ->
          requireOffsets(
              column,
              i -> values.getOffsetBuffer().getLong(i * BaseLargeVariableWidthVector.OFFSET_WIDTH));
      default -> {} // fixed-width values; or nested values, which nobody reads
    }
  }

  /** The offsets at which values begin and the last one ends. */
  private interface Offsets {
    long of(long value);
  }

  private static void requireOffsets(FieldVector column, Offsets offsets) {
    int count = column.getValueCount();
    long last = 0;
    for (int i = 0; i <= count && count > 0; i++) {
      long next = offsets.of(i);
      if (next < last) {
        throw UniserveException.invalid(
            "'%s': a value ends at %d, before %d, where it begins"
                .formatted(column.getName(), next, last));
      }
      last = next;
    }
    ArrowBuf data = column.getDataBuffer();
    if (last > data.capacity()) {
      throw UniserveException.invalid(
          "'%s': values end at %d of %d bytes".formatted(column.getName(), last, data.capacity()));
    }
  }
}
