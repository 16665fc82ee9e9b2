package io.uniserve.engines.sharedscan.sql;

import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import io.uniserve.engines.sharedscan.schema.Texts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The tests of comparisons with constants. A constant need not be a value of the column: a number
 * may have more digits, a text may be longer.
 */
record Conditions(Column column, int place) {
  private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Numbers of columns have fewer digits before the point, and after it. */
  private static final int DIGITS_MAX = 40;

  /** Returns the test of equality with one of some constants, or with none of them. */
  Test among(List<Object> constants, boolean not) {
    List<Object> values = new ArrayList<>();
    for (Object constant : constants) {
      Object value = exact(constant);
      if (value != null) {
        values.add(value);
      }
    }
    return new Test.Among(place, values, not);
  }

  /** Returns the stored form of a constant; null if no value of the column equals it. */
  private Object exact(Object constant) {
    return switch (column.type()) {
      case ColumnType.Whole whole -> exactNumber(constant, 0);
      case ColumnType.Decimal decimal -> exactNumber(constant, decimal.scale());
      case ColumnType.Short text -> {
        byte[] bytes = text(constant);
        yield bytes.length > text.bytesMax() ? null : Texts.least(bytes, text.widthBytes());
      }
      case ColumnType.Text text -> new String(text(constant), StandardCharsets.UTF_8);
      default -> column.stored(required(constant));
    };
  }

  private Object required(Object constant) {
    if (constant == null) {
      throw UniserveException.invalid(
          "SQL: a comparison of column '" + column.name() + "' with NULL never holds: use IS NULL");
    }
    return constant;
  }

  private BigDecimal number(Object constant) {
    if (required(constant) instanceof BigDecimal number) {
      return number;
    }
    try {
      return new BigDecimal(String.valueOf(constant));
    } catch (NumberFormatException e) {
      throw UniserveException.invalid(
          "SQL: column '" + column.name() + "' is compared with no number: " + constant);
    }
  }

  private byte[] text(Object constant) {
    if (required(constant) instanceof String text) {
      return Texts.bytes(text);
    }
    throw UniserveException.invalid(
        "SQL: column '" + column.name() + "' is compared with no text: " + constant);
  }

  private Object exactNumber(Object constant, int scale) {
    BigDecimal scaled = near(number(constant)).scaleByPowerOfTen(scale).stripTrailingZeros();
    return scaled.scale() > 0 || scaled.compareTo(LEAST) < 0 || scaled.compareTo(GREATEST) > 0
        ? null
        : (Object) scaled.longValueExact();
  }

  /** Returns the test of an interval; a null constant is no end of it. */
  Test between(Object low, boolean lowIncluded, Object high, boolean highIncluded) {
    return switch (column.type()) {
      case ColumnType.Whole whole -> numbers(low, lowIncluded, high, highIncluded, 0);
      case ColumnType.Decimal decimal ->
          numbers(low, lowIncluded, high, highIncluded, decimal.scale());
      case ColumnType.Short text -> {
        int width = text.widthBytes();
        boolean lowFits = low == null || text(low).length <= width;
        boolean highFits = high == null || text(high).length <= width;
        yield new Test.Between(
            place,
            low == null ? null : (Object) Texts.least(text(low), width),
            lowIncluded && lowFits,
            high == null ? null : (Object) Texts.least(text(high), width),
            highIncluded || !highFits);
      }
      case ColumnType.Text text ->
          new Test.Between(
              place,
              low == null ? null : new String(text(low), StandardCharsets.UTF_8),
              lowIncluded,
              high == null ? null : new String(text(high), StandardCharsets.UTF_8),
              highIncluded);
      default ->
          new Test.Between(
              place,
              low == null ? null : column.stored(low),
              lowIncluded,
              high == null ? null : column.stored(high),
              highIncluded);
    };
  }

  private Test numbers(
      Object low, boolean lowIncluded, Object high, boolean highIncluded, int scale) {
    BigDecimal from = low == null ? LEAST : near(number(low)).scaleByPowerOfTen(scale);
    BigDecimal to = high == null ? GREATEST : near(number(high)).scaleByPowerOfTen(scale);
    BigDecimal least = from.setScale(0, RoundingMode.CEILING);
    if (low != null && !lowIncluded && least.compareTo(from) == 0) {
      least = least.add(BigDecimal.ONE);
    }
    BigDecimal greatest = to.setScale(0, RoundingMode.FLOOR);
    if (high != null && !highIncluded && greatest.compareTo(to) == 0) {
      greatest = greatest.subtract(BigDecimal.ONE);
    }
    least = least.max(LEAST);
    greatest = greatest.min(GREATEST);
    return least.compareTo(greatest) > 0
        ? new Test.Among(place, List.of(), false)
        : new Test.Between(place, least.longValueExact(), true, greatest.longValueExact(), true);
  }

  /**
   * Returns a number, or one that is as far from all values of columns if it is far away, or one
   * next to zero if it is nearer to it than all others. Numbers with huge exponents would have as
   * many digits.
   */
  private static BigDecimal near(BigDecimal number) {
    long digits = (long) number.precision() - number.scale();
    if (number.signum() == 0 || digits >= -DIGITS_MAX && digits <= DIGITS_MAX) {
      return number;
    }
    BigDecimal one = BigDecimal.valueOf(number.signum());
    return one.scaleByPowerOfTen(digits > 0 ? DIGITS_MAX : -DIGITS_MAX);
  }

  /** Returns the test of the beginning of a text. */
  Test beginsWith(String prefix) {
    if (!(column.type() instanceof ColumnType.Short) && !column.isText()) {
      throw UniserveException.invalid(
          "SQL: LIKE of column '" + column.name() + "', which is no text");
    }
    return new Test.BeginsWith(place, prefix);
  }

  /** Returns the test that a flag is set, or not. */
  Test flag(boolean set) {
    if (!(column.type() instanceof ColumnType.Flag)) {
      throw UniserveException.invalid(
          "SQL: column '" + column.name() + "' is no condition, since it is no boolean");
    }
    return new Test.Among(place, List.of(set ? 1L : 0L), false);
  }
}
