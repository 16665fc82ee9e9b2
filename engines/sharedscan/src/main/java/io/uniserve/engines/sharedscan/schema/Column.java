package io.uniserve.engines.sharedscan.schema;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column.
 *
 * @param name the name, in lower case
 * @param type the type of its values
 * @param nullable true if values may be missing
 */
public record Column(String name, ColumnType type, boolean nullable) {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Pattern TYPE =
      Pattern.compile(
          "(?is)\\s*([a-z]+)\\s*(?:\\((.*)\\))?\\s*(not\\s+null)?\\s*", Pattern.UNICODE_CASE);
  private static final Pattern QUOTED = Pattern.compile("\\s*'((?:[^']|'')*)'\\s*(,|$)");

  /** Checks the name. */
  public Column {
    if (!NAME.matcher(name).matches()) {
      throw UniserveException.invalid(
          "'" + name + "' is no name of a column: letters a to z, digits and _, at most 63");
    }
  }

  /**
   * Returns the column of a declaration, such as {@code decimal(10,2) not null}.
   *
   * @throws UniserveException naming the column, if this is no type
   */
  public static Column of(String name, String declaration) {
    Matcher matcher = TYPE.matcher(declaration);
    if (!matcher.matches()) {
      throw unknown(name, declaration);
    }
    try {
      ColumnType type = type(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2));
      if (type == null) {
        throw unknown(name, declaration);
      }
      return new Column(name, type, matcher.group(3) == null);
    } catch (NumberFormatException e) {
      throw unknown(name, declaration);
    }
  }

  private static ColumnType type(String word, String parameters) {
    if (parameters == null) {
      return switch (word) {
        case "tinyint" -> new ColumnType.Whole(Byte.BYTES);
        case "smallint" -> new ColumnType.Whole(Short.BYTES);
        case "int", "integer" -> new ColumnType.Whole(Integer.BYTES);
        case "bigint" -> new ColumnType.Whole(Long.BYTES);
        case "date" -> new ColumnType.Day();
        case "time" -> new ColumnType.TimeOfDay();
        case "timestamp" -> new ColumnType.Moment();
        case "boolean" -> new ColumnType.Flag();
        case "varchar", "text" -> new ColumnType.Text(ColumnType.Text.BYTES_MAX);
        default -> null;
      };
    }
    return switch (word) {
      case "decimal", "numeric" -> decimal(parameters.split(",", -1));
      case "enum" -> new ColumnType.Choice(choices(parameters));
      case "varchar", "char" -> text(Integer.parseInt(parameters.strip()));
      default -> null;
    };
  }

  private static ColumnType decimal(String[] digits) {
    int scale = digits.length == 2 ? Integer.parseInt(digits[1].strip()) : 0;
    return digits.length > 2
        ? null
        : new ColumnType.Decimal(Integer.parseInt(digits[0].strip()), scale);
  }

  private static ColumnType text(int bytesMax) {
    if (bytesMax < 1 || bytesMax > ColumnType.Text.BYTES_MAX) {
      throw UniserveException.invalid(
          "varchar("
              + bytesMax
              + "): a text has a bound of 1 to "
              + ColumnType.Text.BYTES_MAX
              + " bytes");
    }
    return bytesMax <= Long.BYTES ? new ColumnType.Short(bytesMax) : new ColumnType.Text(bytesMax);
  }

  private static List<String> choices(String quoted) {
    List<String> choices = new ArrayList<>();
    Matcher matcher = QUOTED.matcher(quoted);
    int at = 0;
    while (at < quoted.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw UniserveException.invalid("enum(" + quoted + "): values are in quotes, with commas");
      }
      choices.add(matcher.group(1).replace("''", "'"));
      at = matcher.end();
    }
    return choices;
  }

  private static UniserveException unknown(String name, String declaration) {
    return UniserveException.invalid(
        "column '"
            + name
            + "' has no type '"
            + declaration
            + "': there are tinyint, smallint, integer, bigint, decimal(P,S), date, time,"
            + " timestamp, boolean, enum('A','B'), varchar(BYTES) and varchar, each with or without"
            + " not null");
  }

  /** Returns whether the column has texts that may be longer than eight bytes. */
  public boolean isText() {
    return type instanceof ColumnType.Text;
  }

  /**
   * Returns the stored form of a value.
   *
   * @return a {@link Long}, a {@code byte[]}, or null
   * @throws UniserveException naming the column, if this is no value of it
   */
  public Object stored(Object value) {
    if (value == null) {
      if (nullable) {
        return null;
      }
      throw UniserveException.invalid("column '" + name + "' is not null, but has no value");
    }
    try {
      return type.stored(value);
    } catch (UniserveException e) {
      throw UniserveException.invalid("column '" + name + "': " + e.getMessage());
    }
  }
}
