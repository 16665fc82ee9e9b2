package io.uniserve.backends.monetdb;

import io.uniserve.sql.arrow.Blocks;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import nl.cwi.monetdb.embedded.resultset.QueryResultSet;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The conversion of MonetDB's results to Arrow. MonetDB represents null as the least value of a
 * type, and as NaN for doubles.
 */
final class MonetRows {
  /** The most digits of a sum; a column has one less. */
  static final int DECIMAL_DIGITS = 19;

  private static final int DECIMAL_BITS = 128;
  private static final long MILLIS_PER_DAY = 86_400_000;

  /** The driver's length of every year: 365 days and a quarter. */
  private static final long MILLIS_PER_YEAR = 31_557_600_000L;

  private MonetRows() {}

  /** A way to put a value that is not null into a vector. */
  private interface Put {
    void value(FieldVector to, int place, int row);
  }

  /**
   * Passes all rows to a taker, some at a time, at least once.
   *
   * @return the number of rows
   */
  static long read(QueryResultSet result, Consumer<VectorSchemaRoot> taker) throws SQLException {
    int width = result.getNumberOfColumns();
    int count = result.getNumberOfRows();
    String[] names = new String[width];
    String[] types = new String[width];
    int[] scales = new int[width];
    result.getColumnNames(names);
    result.getColumnTypes(types);
    result.getColumnScales(scales);
    List<Field> fields = new ArrayList<>();
    List<Put> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      fields.add(Field.nullable(names[i], type(types[i], scales[i])));
      columns.add(count == 0 ? null : column(result, i + 1, types[i], count));
    }
    Blocks.make(new Schema(fields), rows -> give(rows, columns, count, taker));
    return count;
  }

  private static void give(
      VectorSchemaRoot rows, List<Put> columns, int count, Consumer<VectorSchemaRoot> taker) {
    int from = 0;
    do {
      int some = Math.min(Blocks.ROWS_PER_BLOCK, count - from);
      rows.clear();
      for (int i = 0; i < columns.size() && some > 0; i++) {
        FieldVector to = rows.getVector(i);
        to.setInitialCapacity(some);
        to.allocateNew();
        for (int place = 0; place < some; place++) {
          columns.get(i).value(to, place, from + place);
        }
      }
      rows.setRowCount(some);
      taker.accept(rows);
      from += some;
    } while (from < count);
  }

  private static ArrowType type(String type, int scale) {
    return switch (type) {
      case "boolean" -> new ArrowType.Bool();
      case "tinyint", "smallint", "int" -> new ArrowType.Int(Integer.SIZE, true);
      case "bigint" -> new ArrowType.Int(Long.SIZE, true);
      case "decimal" -> new ArrowType.Decimal(DECIMAL_DIGITS, scale, DECIMAL_BITS);
      case "double" -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case "char", "varchar", "clob" -> new ArrowType.Utf8();
      case "date" -> new ArrowType.Date(DateUnit.DAY);
      default -> throw MonetText.unknown(type);
    };
  }

  private static Put column(QueryResultSet result, int index, String type, int count)
      throws SQLException {
    return switch (type) {
      case "boolean" -> booleans(result, index, count);
      case "tinyint" -> {
        byte[] values = new byte[count];
        result.getByteColumnByIndex(index, values, 0, count);
        yield integers(row -> values[row], Byte.MIN_VALUE);
      }
      case "smallint" -> {
        short[] values = new short[count];
        result.getShortColumnByIndex(index, values, 0, count);
        yield integers(row -> values[row], Short.MIN_VALUE);
      }
      case "int" -> {
        int[] values = new int[count];
        result.getIntColumnByIndex(index, values, 0, count);
        yield integers(row -> values[row], Integer.MIN_VALUE);
      }
      case "bigint" -> bigints(result, index, count);
      case "double" -> doubles(result, index, count);
      case "decimal" -> decimals(result, index, count);
      case "date" -> dates(result, index, count);
      default -> texts(result, index, count);
    };
  }

  /** A getter of numbers of at most 32 bits. */
  private interface Integers {
    int at(int row);
  }

  private static Put integers(Integers values, int none) {
    return (to, place, row) -> {
      int value = values.at(row);
      if (value != none) {
        ((IntVector) to).set(place, value);
      }
    };
  }

  private static Put booleans(QueryResultSet result, int index, int count) throws SQLException {
    Boolean[] values = new Boolean[count];
    for (int row = 0; row < count; row++) {
      if (!result.checkBooleanIsNull(index, row + 1)) {
        values[row] = result.getBooleanByColumnIndexAndRow(index, row + 1);
      }
    }
    return (to, place, row) -> {
      if (values[row] != null) {
        ((BitVector) to).set(place, values[row] ? 1 : 0);
      }
    };
  }

  private static Put bigints(QueryResultSet result, int index, int count) throws SQLException {
    long[] values = new long[count];
    result.getLongColumnByIndex(index, values, 0, count);
    return (to, place, row) -> {
      if (values[row] != Long.MIN_VALUE) {
        ((BigIntVector) to).set(place, values[row]);
      }
    };
  }

  private static Put doubles(QueryResultSet result, int index, int count) throws SQLException {
    double[] values = new double[count];
    result.getDoubleColumnByIndex(index, values, 0, count);
    return (to, place, row) -> {
      if (!Double.isNaN(values[row])) {
        ((Float8Vector) to).set(place, values[row]);
      }
    };
  }

  private static Put decimals(QueryResultSet result, int index, int count) throws SQLException {
    BigDecimal[] values = new BigDecimal[count];
    result.getDecimalColumnByIndex(index, values, 0, count);
    return (to, place, row) -> {
      if (values[row] != null) {
        ((DecimalVector) to).set(place, values[row]);
      }
    };
  }

  private static Put texts(QueryResultSet result, int index, int count) throws SQLException {
    String[] values = new String[count];
    result.getStringColumnByIndex(index, values, 0, count);
    return (to, place, row) -> {
      if (values[row] != null) {
        ((VarCharVector) to).setSafe(place, values[row].getBytes(StandardCharsets.UTF_8));
      }
    };
  }

  /**
   * Puts dates. The driver counts milliseconds with years of equal length, but gives each day a
   * different count.
   */
  private static Put dates(QueryResultSet result, int index, int count) throws SQLException {
    Date[] values = new Date[count];
    result.getDateColumnByIndex(index, values, 0, count);
    return (to, place, row) -> {
      if (values[row] != null) {
        ((DateDayVector) to).set(place, (int) day(values[row].getTime()));
      }
    };
  }

  static long day(long driverMillis) {
    long years = Math.floorDiv(driverMillis, MILLIS_PER_YEAR);
    long days = (driverMillis - years * MILLIS_PER_YEAR) / MILLIS_PER_DAY;
    return LocalDate.ofYearDay((int) (1970 + years), 1).plusDays(days).toEpochDay();
  }
}
