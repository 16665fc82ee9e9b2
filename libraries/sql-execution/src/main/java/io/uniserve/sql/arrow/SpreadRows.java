package io.uniserve.sql.arrow;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A division of rows by their values of some columns, for instance among actors for a shuffle (DPA
 * §3.3). Equal values have the same partition key even if their types differ. It is the key that a
 * table partitioned by such columns has for them.
 */
public final class SpreadRows implements Consumer<VectorSchemaRoot>, AutoCloseable {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** The place of rows that belong nowhere. */
  public static final int NOWHERE = -1;

  /** The receiver of blocks of rows. */
  public interface Sink {
    /** Takes a block for a place. The block is an Arrow stream, which the receiver may keep. */
    void put(int place, ByteBuffer block);
  }

  private final ToIntFunction<PartitionKey> placeOf;
  private final List<Integer> spreadBy;
  private final Sink sink;
  private final BufferAllocator memory = Blocks.newMemory();
  private final List<VectorSchemaRoot> waiting = new ArrayList<>();
  private final BitSet told = new BitSet();
  private int[] counts = new int[0];

  /**
   * Makes a division.
   *
   * @param placeOf returns the place of a key, from 0, or {@link #NOWHERE}
   * @param spreadBy the columns of the key, by number from 0
   */
  public SpreadRows(ToIntFunction<PartitionKey> placeOf, List<Integer> spreadBy, Sink sink) {
    this.placeOf = placeOf;
    this.spreadBy = spreadBy;
    this.sink = sink;
  }

  @Override
  public void accept(VectorSchemaRoot rows) {
    int[] places = new int[rows.getRowCount()];
    int most = NOWHERE;
    for (int row = 0; row < places.length; row++) {
      places[row] = placeOf.applyAsInt(key(rows, row, spreadBy));
      most = Math.max(most, places[row]);
    }
    makeRoom(rows, most + 1);
    int[] indexes = new int[places.length];
    for (int row = 0; row < places.length; row++) {
      indexes[row] = places[row] == NOWHERE ? 0 : counts[places[row]]++;
    }
    for (int column = 0; column < rows.getFieldVectors().size(); column++) {
      FieldVector from = rows.getVector(column);
      FieldVector[] to = new FieldVector[counts.length];
      for (int place = 0; place < to.length; place++) {
        to[place] = waiting.get(place).getVector(column);
      }
      for (int row = 0; row < places.length; row++) {
        if (places[row] != NOWHERE) {
          to[places[row]].copyFromSafe(row, indexes[row], from);
        }
      }
    }
    for (int place = 0; place < counts.length; place++) {
      if (counts[place] >= Blocks.ROWS_PER_BLOCK) {
        put(place);
      }
    }
  }

  private void makeRoom(VectorSchemaRoot rows, int places) {
    while (waiting.size() < places) {
      VectorSchemaRoot some = VectorSchemaRoot.create(rows.getSchema(), memory);
      some.getFieldVectors()
          .forEach(vector -> vector.setInitialCapacity(2 * Blocks.ROWS_PER_BLOCK));
      waiting.add(some);
    }
    counts = Arrays.copyOf(counts, waiting.size());
  }

  /**
   * Passes on the remaining rows, and an empty block with the columns to each place that got no
   * rows.
   *
   * @param columns the columns
   * @param places the number of places
   */
  public void finish(Schema columns, int places) {
    try (VectorSchemaRoot none = VectorSchemaRoot.create(columns, memory)) {
      makeRoom(none, places);
    }
    for (int place = 0; place < waiting.size(); place++) {
      if (counts[place] > 0 || !told.get(place)) {
        put(place);
      }
    }
  }

  /** Passes on the remaining rows. */
  public void flush() {
    for (int place = 0; place < waiting.size(); place++) {
      if (counts[place] > 0) {
        put(place);
      }
    }
  }

  private void put(int place) {
    VectorSchemaRoot rows = waiting.get(place);
    rows.setRowCount(counts[place]);
    sink.put(place, Blocks.of(rows));
    rows.clear();
    counts[place] = 0;
    told.set(place);
  }

  /**
   * Returns the partition key of a row's values of some columns.
   *
   * @throws UniserveException if a column has a type by which rows cannot be spread
   */
  public static PartitionKey key(VectorSchemaRoot rows, int row, List<Integer> columns) {
    if (columns.size() == 1) {
      return key(rows.getVector(columns.getFirst()), row);
    }
    return Spreading.joined(
        columns.stream().map(column -> key(rows.getVector(column), row)).toList());
  }

  private static PartitionKey key(FieldVector values, int row) {
    if (values.isNull(row)) {
      return Spreading.NULL;
    }
    return switch (values) {
      case BaseIntVector numbers -> PartitionKey.of(numbers.getValueAsLong(row));
      case DecimalVector numbers -> PartitionKey.of(whole(numbers.getObject(row)));
      case Float8Vector numbers -> PartitionKey.of((long) numbers.get(row));
      case DateDayVector days -> PartitionKey.of(days.get(row));
      case TimeStampMicroVector times ->
          PartitionKey.of(Math.floorDiv(times.get(row), MICROS_PER_DAY));
      case VarCharVector texts -> {
        byte[] text = texts.get(row);
        yield PartitionKey.of(
            text.length <= PartitionKey.SIZE_BYTES_MAX
                ? text
                : Arrays.copyOf(text, PartitionKey.SIZE_BYTES_MAX / 2));
      }
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "SQL: rows cannot be spread by " + values.getField().getType());
    };
  }

  /** Converts a number as a cast of floating point does, to the nearest. */
  private static long whole(BigDecimal number) {
    BigInteger whole = number.toBigInteger();
    return whole.bitLength() < Long.SIZE ? whole.longValue() : (long) whole.doubleValue();
  }

  @Override
  public void close() {
    waiting.forEach(VectorSchemaRoot::close);
    memory.close();
  }
}
