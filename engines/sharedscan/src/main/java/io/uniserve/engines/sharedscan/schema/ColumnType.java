package io.uniserve.engines.sharedscan.schema;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A type of columns. Values come and go as documents: numbers, texts and flags. A value of every
 * type but {@link Text} is stored as a number that is ordered as the values are.
 */
public sealed interface ColumnType {
  /** Returns the size of a stored number in bytes: 1, 2, 4 or 8. */
  int widthBytes();

  /** Returns the name of the type in SQL. */
  String sqlName();

  /**
   * Returns the stored form of a value: a {@link Long}, or a {@code byte[]} in UTF-8 of a {@link
   * Text}.
   *
   * @throws UniserveException if it is no value of this type
   */
  Object stored(Object value);

  /** Returns the value of a stored number. */
  Object value(long stored);

  /** Returns whether sums can be made of its values. */
  default boolean isNumber() {
    return false;
  }

  private static UniserveException no(ColumnType type, Object value) {
    return UniserveException.invalid("no " + type.sqlName() + ": " + Excerpt.of(value));
  }

  private static BigDecimal number(ColumnType type, Object value) {
    try {
      return switch (value) {
        case Long number -> BigDecimal.valueOf(number);
        case Integer number -> BigDecimal.valueOf(number);
        case Double number -> BigDecimal.valueOf(number);
        case BigDecimal number -> number;
        case BigInteger number -> new BigDecimal(number);
        case String text when text.length() <= 50 -> new BigDecimal(text.strip());
        default -> throw no(type, value);
      };
    } catch (NumberFormatException e) {
      throw no(type, value);
    }
  }

  private static String text(ColumnType type, Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw no(type, value);
  }

  /**
   * Integers.
   *
   * @param widthBytes 1, 2, 4 or 8
   */
  record Whole(int widthBytes) implements ColumnType {
    @Override
    public String sqlName() {
      return switch (widthBytes) {
        case 1 -> "tinyint";
        case 2 -> "smallint";
        case 4 -> "integer";
        default -> "bigint";
      };
    }

    @Override
    public Object stored(Object value) {
      BigDecimal number = number(this, value);
      try {
        long whole = number.longValueExact();
        int unused = Long.SIZE - Byte.SIZE * widthBytes;
        if (whole << unused >> unused == whole) {
          return whole;
        }
      } catch (ArithmeticException e) {
        // It is told below.
      }
      throw no(this, value);
    }

    @Override
    public Object value(long stored) {
      return stored;
    }

    @Override
    public boolean isNumber() {
      return true;
    }
  }

  /**
   * Decimals.
   *
   * @param precision the number of digits, 1 to 18
   * @param scale the number of digits after the point
   */
  record Decimal(int precision, int scale) implements ColumnType {
    /** The most digits. */
    public static final int PRECISION_MAX = 18;

    private static final int INT_DIGITS = 9;

    /** Checks the digits. */
    public Decimal {
      if (precision < 1 || precision > PRECISION_MAX || scale < 0 || scale > precision) {
        throw UniserveException.invalid(
            "decimal("
                + precision
                + ","
                + scale
                + "): 1 to 18 digits, of which 0 to all are after the point");
      }
    }

    @Override
    public int widthBytes() {
      return precision <= INT_DIGITS ? Integer.BYTES : Long.BYTES;
    }

    @Override
    public String sqlName() {
      return "decimal(" + precision + "," + scale + ")";
    }

    @Override
    public Object stored(Object value) {
      BigDecimal number = number(this, value).stripTrailingZeros();
      long digits = (long) number.precision() - number.scale();
      if (number.scale() > scale || digits > precision - scale) {
        throw no(this, value);
      }
      return number.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue().longValueExact();
    }

    @Override
    public Object value(long stored) {
      return BigDecimal.valueOf(stored, scale).toPlainString();
    }

    @Override
    public boolean isNumber() {
      return true;
    }
  }

  /** Days. */
  record Day() implements ColumnType {
    @Override
    public int widthBytes() {
      return Integer.BYTES;
    }

    @Override
    public String sqlName() {
      return "date";
    }

    @Override
    public Object stored(Object value) {
      try {
        LocalDate day = LocalDate.parse(text(this, value).strip());
        if (day.getYear() < 1 || day.getYear() > 9999) {
          throw no(this, value);
        }
        return day.toEpochDay();
      } catch (DateTimeException e) {
        throw no(this, value);
      }
    }

    @Override
    public Object value(long stored) {
      return LocalDate.ofEpochDay(stored).toString();
    }
  }

  /** Times of a day, in microseconds. */
  record TimeOfDay() implements ColumnType {
    private static final long NANOS_PER_MICRO = 1_000;

    @Override
    public int widthBytes() {
      return Long.BYTES;
    }

    @Override
    public String sqlName() {
      return "time";
    }

    @Override
    public Object stored(Object value) {
      try {
        long nanos = LocalTime.parse(text(this, value).strip()).toNanoOfDay();
        if (nanos % NANOS_PER_MICRO == 0) {
          return nanos / NANOS_PER_MICRO;
        }
      } catch (DateTimeException e) {
        // It is told below.
      }
      throw no(this, value);
    }

    @Override
    public Object value(long stored) {
      String text = LocalTime.ofNanoOfDay(stored * NANOS_PER_MICRO).toString();
      return text.length() == "00:00".length() ? text + ":00" : text;
    }
  }

  /** Dates with times, in microseconds, without a zone. */
  record Moment() implements ColumnType {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    @Override
    public int widthBytes() {
      return Long.BYTES;
    }

    @Override
    public String sqlName() {
      return "timestamp";
    }

    @Override
    public Object stored(Object value) {
      String text = text(this, value).strip().replace(' ', 'T');
      try {
        LocalDateTime moment =
            text.indexOf('T') < 0
                ? LocalDate.parse(text).atStartOfDay()
                : LocalDateTime.parse(text);
        boolean held = moment.getYear() >= 1 && moment.getYear() <= 9999;
        if (held && moment.getNano() % NANOS_PER_MICRO == 0) {
          return moment.toEpochSecond(ZoneOffset.UTC) * MICROS_PER_SECOND
              + moment.getNano() / NANOS_PER_MICRO;
        }
      } catch (DateTimeException e) {
        // It is told below.
      }
      throw no(this, value);
    }

    @Override
    public Object value(long stored) {
      LocalDateTime moment =
          LocalDateTime.ofEpochSecond(
              Math.floorDiv(stored, MICROS_PER_SECOND),
              (int) Math.floorMod(stored, MICROS_PER_SECOND) * NANOS_PER_MICRO,
              ZoneOffset.UTC);
      String time = moment.toLocalTime().toString();
      return moment.toLocalDate() + " " + (time.length() == "00:00".length() ? time + ":00" : time);
    }
  }

  /** True or false. */
  record Flag() implements ColumnType {
    @Override
    public int widthBytes() {
      return 1;
    }

    @Override
    public String sqlName() {
      return "boolean";
    }

    @Override
    public Object stored(Object value) {
      return switch (value) {
        case Boolean flag -> flag ? 1L : 0L;
        case String text when text.equalsIgnoreCase("true") -> 1L;
        case String text when text.equalsIgnoreCase("false") -> 0L;
        case null, default -> throw no(this, value);
      };
    }

    @Override
    public Object value(long stored) {
      return stored != 0;
    }
  }

  /**
   * One of several texts, ordered as they are declared.
   *
   * @param choices the texts, at most 256
   */
  record Choice(List<String> choices) implements ColumnType {
    /** The most texts. */
    public static final int CHOICES_MAX = 256;

    /** Checks the texts. */
    public Choice {
      choices = List.copyOf(choices);
      if (choices.isEmpty()
          || choices.size() > CHOICES_MAX
          || choices.stream().distinct().count() < choices.size()) {
        throw UniserveException.invalid("an enum has 1 to 256 different values");
      }
    }

    @Override
    public int widthBytes() {
      return 1;
    }

    @Override
    public String sqlName() {
      return "enum(" + String.join(", ", choices.stream().map(ColumnType::quoted).toList()) + ")";
    }

    @Override
    public Object stored(Object value) {
      int place = value instanceof String text ? choices.indexOf(text) : -1;
      if (place < 0) {
        throw no(this, value);
      }
      return (long) place + Byte.MIN_VALUE;
    }

    @Override
    public Object value(long stored) {
      return choices.get((int) stored - Byte.MIN_VALUE);
    }
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /**
   * Texts of at most eight bytes in UTF-8, without the character 0. They are ordered by code point.
   *
   * @param bytesMax 1 to 8
   */
  record Short(int bytesMax) implements ColumnType {
    @Override
    public int widthBytes() {
      return bytesMax <= 2 ? bytesMax : bytesMax <= Integer.BYTES ? Integer.BYTES : Long.BYTES;
    }

    @Override
    public String sqlName() {
      return "varchar(" + bytesMax + ")";
    }

    @Override
    public Object stored(Object value) {
      byte[] bytes = Texts.bytes(text(this, value));
      if (bytes.length > bytesMax) {
        throw no(this, value);
      }
      return Texts.least(bytes, widthBytes());
    }

    @Override
    public Object value(long stored) {
      return Texts.text(stored, widthBytes());
    }
  }

  /**
   * Longer texts, without the character 0. They are ordered by code point.
   *
   * @param bytesMax the most bytes in UTF-8; {@link #BYTES_MAX} without a bound of its own
   */
  record Text(int bytesMax) implements ColumnType {
    /** The most bytes of any text. */
    public static final int BYTES_MAX = 1 << 20;

    @Override
    public int widthBytes() {
      return Long.BYTES;
    }

    @Override
    public String sqlName() {
      return bytesMax == BYTES_MAX ? "varchar" : "varchar(" + bytesMax + ")";
    }

    @Override
    public Object stored(Object value) {
      byte[] bytes = Texts.bytes(text(this, value));
      if (bytes.length > bytesMax) {
        throw no(this, value);
      }
      return bytes;
    }

    @Override
    public Object value(long stored) {
      throw new IllegalStateException("a text is no number");
    }
  }
}
