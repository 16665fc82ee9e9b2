package io.uniserve.gateways.flightsql.protocol;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetXdbcTypeInfo;
import org.apache.arrow.flight.sql.impl.FlightSql.Nullable;
import org.apache.arrow.flight.sql.impl.FlightSql.Searchable;
import org.apache.arrow.flight.sql.impl.FlightSql.XdbcDataType;
import org.apache.arrow.flight.sql.impl.FlightSql.XdbcDatetimeSubcode;

/** The types of columns, as the rows of Flight SQL's listing. */
public final class TypeRows {
  private static final int DIGITS_MAX = 38;
  private static final int RADIX = 10;

  /** All types, ordered by their numbers, as the protocol requires. */
  private static final List<Type> ALL =
      List.of(
          Type.of("BOOLEAN", XdbcDataType.XDBC_BIT, 1),
          Type.number("BIGINT", XdbcDataType.XDBC_BIGINT, 19, 0),
          Type.number("DECIMAL", XdbcDataType.XDBC_DECIMAL, DIGITS_MAX, DIGITS_MAX)
              .with("precision", "scale"),
          Type.number("INTEGER", XdbcDataType.XDBC_INTEGER, 10, 0),
          Type.number("DOUBLE", XdbcDataType.XDBC_DOUBLE, 15, null),
          Type.of("VARCHAR", XdbcDataType.XDBC_VARCHAR, Integer.MAX_VALUE).quoted("'"),
          Type.of("DATE", XdbcDataType.XDBC_DATE, 10)
              .quoted("DATE '")
              .within(XdbcDatetimeSubcode.XDBC_SUBCODE_DATE, null),
          Type.of("TIMESTAMP", XdbcDataType.XDBC_TIMESTAMP, 26)
              .quoted("TIMESTAMP '")
              .within(XdbcDatetimeSubcode.XDBC_SUBCODE_TIMESTAMP, 6));

  private TypeRows() {}

  /** Returns a row for each requested type. */
  public static List<List<Object>> of(CommandGetXdbcTypeInfo request) {
    return ALL.stream()
        .filter(type -> !request.hasDataType() || type.number.getNumber() == request.getDataType())
        .map(Type::row)
        .toList();
  }

  /**
   * A type.
   *
   * @param size the most digits or characters
   * @param prefix the prefix of its literals, which then end with a quote; null if they have no
   *     quotes
   * @param parameters the parameters that may follow its name in parentheses
   * @param isNumber true if it has digits
   * @param scaleMax the most digits after the point; null if that has no meaning
   * @param dateTime the kind of date or time; null if it is none
   */
  private record Type(
      String name,
      XdbcDataType number,
      int size,
      String prefix,
      List<String> parameters,
      boolean isNumber,
      Integer scaleMax,
      XdbcDatetimeSubcode dateTime) {

    static Type of(String name, XdbcDataType number, int size) {
      return new Type(name, number, size, null, List.of(), false, null, null);
    }

    static Type number(String name, XdbcDataType number, int digits, Integer scaleMax) {
      return new Type(name, number, digits, null, List.of(), true, scaleMax, null);
    }

    Type with(String... names) {
      return new Type(name, number, size, prefix, List.of(names), isNumber, scaleMax, dateTime);
    }

    Type quoted(String before) {
      return new Type(name, number, size, before, parameters, isNumber, scaleMax, dateTime);
    }

    Type within(XdbcDatetimeSubcode kind, Integer digits) {
      return new Type(name, number, size, prefix, parameters, isNumber, digits, kind);
    }

    /** Returns the row, with the columns of the protocol's {@code CommandGetXdbcTypeInfo}. */
    List<Object> row() {
      XdbcDataType group = dateTime == null ? number : XdbcDataType.XDBC_DATETIME;
      return Arrays.asList(
          name,
          number.getNumber(),
          size,
          prefix,
          prefix == null ? null : "'",
          parameters.isEmpty() ? null : parameters,
          Nullable.NULLABILITY_NULLABLE.getNumber(),
          number == XdbcDataType.XDBC_VARCHAR,
          Searchable.SEARCHABLE_FULL.getNumber(),
          isNumber ? false : null,
          false,
          isNumber ? false : null,
          name,
          scaleMax == null ? null : 0,
          scaleMax,
          group.getNumber(),
          dateTime == null ? null : dateTime.getNumber(),
          isNumber ? RADIX : null,
          null);
    }
  }
}
