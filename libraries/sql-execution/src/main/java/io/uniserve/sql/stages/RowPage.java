package io.uniserve.sql.stages;

import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.SpreadRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/** A page of rows while it is made. It ends with the row that makes it large enough. */
final class RowPage {
  private final ScanRows scan;
  private final ScanPlace place;
  private final ScanFrom from;
  private final List<ByteBuffer> blocks = new ArrayList<>();
  private List<String> last = List.of();
  private long sizeBytes;
  private long taken;
  private long given;
  private boolean full;

  RowPage(ScanRows scan, ScanPlace place, ScanFrom from) {
    this.scan = scan;
    this.place = place;
    this.from = from;
  }

  long rows() {
    return given;
  }

  /** Takes rows, in order, until the page is full. */
  void take(VectorSchemaRoot rows) {
    int next = 0;
    while (!full && next < rows.getRowCount()) {
      next += take(rows, next, rows.getRowCount() - next);
    }
  }

  /** Takes some rows as one block; returns how many. */
  private int take(VectorSchemaRoot rows, int start, int most) {
    int count = fitting(rows, most);
    int taking = 0;
    while (taking < count) {
      int row = start + taking;
      boolean wanted = isWanted(rows, row);
      int run = 1;
      while (taking + run < count && isWanted(rows, row + run) == wanted) {
        run++;
      }
      if (wanted) {
        add(rows, row, run);
      }
      taking += run;
    }
    taken += count;
    last = key(rows, start + count - 1);
    full = sizeBytes >= from.bytesMax();
    return count;
  }

  /** Returns how many of some rows probably fit, at least one. */
  private int fitting(VectorSchemaRoot rows, int most) {
    long bytes = 0;
    for (FieldVector column : rows.getFieldVectors()) {
      bytes += column.getBufferSize();
    }
    long each = Math.max(1, bytes / rows.getRowCount());
    return (int) Math.clamp((from.bytesMax() - sizeBytes) / each, 1, (long) most);
  }

  private boolean isWanted(VectorSchemaRoot rows, int row) {
    return from.only().isEmpty()
        || from.only().get().test(SpreadRows.key(rows, row, scan.partitionBy()));
  }

  private void add(VectorSchemaRoot rows, int start, int count) {
    try (VectorSchemaRoot some = rows.slice(start, count)) {
      List<Field> fields = new ArrayList<>();
      List<FieldVector> vectors = new ArrayList<>();
      for (ScanRows.Column column : scan.columns()) {
        FieldVector vector = some.getVector(column.index());
        Field field = vector.getField();
        fields.add(new Field(column.name(), field.getFieldType(), field.getChildren()));
        vectors.add(vector);
      }
      ByteBuffer block = Blocks.of(new VectorSchemaRoot(fields, vectors, count));
      blocks.add(block);
      sizeBytes += block.remaining();
      given += count;
    }
  }

  private List<String> key(VectorSchemaRoot rows, int row) {
    List<String> key = new ArrayList<>();
    int first = rows.getFieldVectors().size() - scan.keys().size();
    for (int i = 0; i < scan.keys().size(); i++) {
      byte[] text = ((VarCharVector) rows.getVector(first + i)).get(row);
      key.add(new String(text, StandardCharsets.UTF_8));
    }
    return key;
  }

  /** Returns the page, after all rows have been offered. */
  ScanPage made() {
    boolean ended = !full && taken < place.rows();
    Optional<ByteBuffer> next =
        ended
            ? Optional.empty()
            : Optional.of(place.after(last, taken, sizeBytes, from.bytesMax()).bytes());
    return new ScanPage(blocks, given, next, taken, place.total());
  }
}
