package io.uniserve.arrowrows;

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
 * Rows of Arrow that somebody else has made: Arrow takes their word for where their values lie. Who
 * reads a value makes room for it first, as much as it says; and a database looks wherever it is
 * told to.
 */
public final class SoundRows {
  private SoundRows() {}

  /**
   * Requires that all values lie within their buffers. Looks at offsets, not at values: Arrow's own
   * full check makes an object of each, however long it says that it is.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the column whose do
   *     not, or are not as many as there are rows
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
          "'%s' is not what it says: %s".formatted(column.getName(), e.getMessage()));
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
      default -> {} // as long as their number says; or values within values, which nobody reads
    }
  }

  /** Where values begin, and the last one ends. */
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
