package io.uniserve.gateways.flightsql.protocol;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowValue;
import io.uniserve.sql.arrow.SoundRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The values of statements' parameters that clients send. */
public final class ArrowValues {
  /** The most rows of parameters of one call. */
  private static final int ROWS_MAX = 100_000;

  private static final int CHARS_MAX = 16 << 20;

  private ArrowValues() {}

  /**
   * Reads the parameters of a statement that runs once; none if the client sends none.
   *
   * @throws UniserveException if there are several rows; or as {@link #rows}
   */
  public static List<Object> row(FlightStream stream) {
    List<List<Object>> rows = rows(stream);
    if (rows.size() > 1) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: a query runs once, with one row of parameters");
    }
    return rows.getFirst();
  }

  /**
   * Reads the parameters of a statement, a row for each execution; one row without values if the
   * client sends none.
   *
   * @throws UniserveException if there are too many rows, or values of types that no column has
   */
  public static List<List<Object>> rows(FlightStream stream) {
    List<List<Object>> rows = new ArrayList<>();
    long chars = 0;
    while (stream.next()) {
      VectorSchemaRoot batch = stream.getRoot();
      SoundRows.require(batch);
      for (int i = 0; i < batch.getRowCount(); i++) {
        List<Object> row = new ArrayList<>();
        for (FieldVector column : batch.getFieldVectors()) {
          Object value = ArrowValue.of(column, i);
          chars += String.valueOf(value).length();
          row.add(value);
        }
        rows.add(row);
        requireFew(rows.size(), chars);
      }
    }
    return rows.isEmpty() ? List.of(List.of()) : rows;
  }

  private static void requireFew(int rows, long chars) {
    if (rows > ROWS_MAX || chars > CHARS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: at most %d rows of parameters with %d characters together; more are added in bulk"
              .formatted(ROWS_MAX, CHARS_MAX));
    }
  }
}
