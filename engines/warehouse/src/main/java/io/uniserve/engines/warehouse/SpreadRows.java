package io.uniserve.engines.warehouse;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Divides rows among actors by their values of some columns: a shuffle (DPA §3.3). Equal values
 * give the same actor whatever their types, and the one that has them in a table that is
 * partitioned by such columns.
 */
final class SpreadRows implements Consumer<VectorSchemaRoot>, AutoCloseable {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** Takes a block for an actor. */
  interface Sink {
    void put(int actor, ByteBuffer block);
  }

  private final Partitioner partitioner;
  private final List<Integer> spreadBy;
  private final Sink sink;
  private final BufferAllocator memory = Blocks.newMemory();
  private final List<VectorSchemaRoot> waiting = new ArrayList<>();
  private final int[] counts;
  private final boolean[] told;

  SpreadRows(Partitioner partitioner, List<Integer> spreadBy, Sink sink) {
    this.partitioner = partitioner;
    this.spreadBy = spreadBy;
    this.sink = sink;
    counts = new int[partitioner.actors()];
    told = new boolean[partitioner.actors()];
  }

  @Override
  public void accept(VectorSchemaRoot rows) {
    while (waiting.size() < counts.length) {
      VectorSchemaRoot some = VectorSchemaRoot.create(rows.getSchema(), memory);
      some.getFieldVectors()
          .forEach(vector -> vector.setInitialCapacity(2 * Blocks.ROWS_PER_BLOCK));
      waiting.add(some);
    }
    int[] actors = new int[rows.getRowCount()];
    int[] places = new int[rows.getRowCount()];
    for (int row = 0; row < actors.length; row++) {
      actors[row] = partitioner.actorOf(key(rows, row));
      places[row] = counts[actors[row]]++;
    }
    for (int column = 0; column < rows.getFieldVectors().size(); column++) {
      FieldVector from = rows.getVector(column);
      FieldVector[] to = new FieldVector[counts.length];
      for (int actor = 0; actor < to.length; actor++) {
        to[actor] = waiting.get(actor).getVector(column);
      }
      for (int row = 0; row < actors.length; row++) {
        to[actors[row]].copyFromSafe(row, places[row], from);
      }
    }
    for (int actor = 0; actor < counts.length; actor++) {
      if (counts[actor] >= Blocks.ROWS_PER_BLOCK) {
        put(actor);
      }
    }
  }

  /** Gives what is left; to each actor that got nothing the columns. */
  void finish() {
    for (int actor = 0; actor < waiting.size(); actor++) {
      if (counts[actor] > 0 || !told[actor]) {
        put(actor);
      }
    }
  }

  /** Gives what is left. */
  void flush() {
    for (int actor = 0; actor < waiting.size(); actor++) {
      if (counts[actor] > 0) {
        put(actor);
      }
    }
  }

  private void put(int actor) {
    VectorSchemaRoot rows = waiting.get(actor);
    rows.setRowCount(counts[actor]);
    sink.put(actor, Blocks.of(rows));
    rows.clear();
    counts[actor] = 0;
    told[actor] = true;
  }

  private PartitionKey key(VectorSchemaRoot rows, int row) {
    if (spreadBy.size() == 1) {
      return key(rows.getVector(spreadBy.getFirst()), row);
    }
    return Spreading.joined(
        spreadBy.stream().map(column -> key(rows.getVector(column), row)).toList());
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
              ErrorCode.UNSUPPORTED, "SQL: no rows are spread by " + values.getField().getType());
    };
  }

  /** As a cast of floating point gives it: the nearest there is. */
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
