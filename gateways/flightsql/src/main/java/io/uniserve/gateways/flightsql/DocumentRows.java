package io.uniserve.gateways.flightsql;

import io.uniserve.api.Planner;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.ArrowTable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows of documents as rows of Arrow. */
final class DocumentRows {
  private static final Pattern DECIMAL = Pattern.compile("decimal\\((\\d+),(\\d+)\\)");
  private static final int DECIMAL_BITS = 128;

  private DocumentRows() {}

  /** Returns the columns of an answer. */
  static Schema schema(List<Planner.AnswerColumn> columns) {
    return new Schema(
        columns.stream()
            .map(column -> ArrowTable.field(column.name(), true, type(column.type())))
            .toList());
  }

  private static ArrowType type(String sql) {
    Matcher decimal = DECIMAL.matcher(sql);
    if (decimal.matches()) {
      return new ArrowType.Decimal(
          Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)), DECIMAL_BITS);
    }
    return switch (sql) {
      case "boolean" -> new ArrowType.Bool();
      case "tinyint" -> new ArrowType.Int(Byte.SIZE, true);
      case "smallint" -> new ArrowType.Int(Short.SIZE, true);
      case "integer" -> new ArrowType.Int(Integer.SIZE, true);
      case "bigint" -> new ArrowType.Int(Long.SIZE, true);
      case "double" -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case "date" -> new ArrowType.Date(DateUnit.DAY);
      case "time" -> new ArrowType.Time(TimeUnit.MICROSECOND, Long.SIZE);
      case "timestamp" -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      default -> new ArrowType.Utf8(); // varchar and enum, with lengths or choices
    };
  }

  /** Passes rows to a sink. */
  static void send(Schema schema, List<?> rows, ArrowSink sink) {
    for (int from = 0; from == 0 || from < rows.size(); from += Blocks.ROWS_PER_BLOCK) {
      List<?> some = rows.subList(from, Math.min(rows.size(), from + Blocks.ROWS_PER_BLOCK));
      Blocks.make(
          schema,
          block -> {
            for (int i = 0; i < some.size(); i++) {
              List<?> row = (List<?>) some.get(i);
              for (int column = 0; column < row.size(); column++) {
                set(block.getVector(column), i, row.get(column));
              }
            }
            block.setRowCount(some.size());
            sink.rows(block);
          });
    }
  }

  private static void set(FieldVector vector, int row, Object value) {
    if (value == null) {
      vector.setNull(row);
      return;
    }
    switch (vector) {
      case BitVector flags -> flags.setSafe(row, (Boolean) value ? 1 : 0);
      case TinyIntVector numbers -> numbers.setSafe(row, ((Long) value).intValue());
      case SmallIntVector numbers -> numbers.setSafe(row, ((Long) value).intValue());
      case IntVector numbers -> numbers.setSafe(row, ((Long) value).intValue());
      case BigIntVector numbers -> numbers.setSafe(row, (Long) value);
      case Float8Vector numbers -> numbers.setSafe(row, ((Number) value).doubleValue());
      case DecimalVector numbers ->
          numbers.setSafe(row, new BigDecimal(value.toString()).setScale(numbers.getScale()));
      case DateDayVector days ->
          days.setSafe(row, Math.toIntExact(LocalDate.parse((String) value).toEpochDay()));
      case TimeMicroVector times ->
          times.setSafe(row, ChronoUnit.MICROS.between(LocalTime.MIN, time(value)));
      case TimeStampMicroVector times ->
          times.setSafe(
              row, ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), moment(value)));
      case VarCharVector texts ->
          texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
      default -> throw new IllegalStateException("no document has values of " + vector.getField());
    }
  }

  private static LocalTime time(Object value) {
    return LocalTime.parse((String) value);
  }

  private static LocalDateTime moment(Object value) {
    return LocalDateTime.parse(((String) value).replace(' ', 'T'));
  }
}
