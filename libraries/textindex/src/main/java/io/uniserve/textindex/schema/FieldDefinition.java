package io.uniserve.textindex.schema;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.NumericUtils;
import org.apache.lucene.util.UnicodeUtil;

/**
 * One field of a schema. In the schema document a field is a map of these components by name, all
 * of them optional.
 *
 * @param name the field's name, or a pattern with one {@code *} at its start or end for fields that
 *     need not be listed one by one
 * @param type the type of its values; default {@code text}
 * @param analyzer the division of text into words; default {@code standard}, and {@code keyword}
 *     for all other types
 * @param indexed true if it can be searched; default true
 * @param stored true if its values are returned; default true
 * @param sortable true if hits can be ordered by it; default true, except for text, which cannot
 * @param facet true if its values can be counted; default true, except for text, which cannot
 * @param multiValued true if a document may have a list of values; default false
 * @param copyTo the fields that get its values, too
 */
public record FieldDefinition(
    String name,
    Type type,
    TextAnalyzer analyzer,
    boolean indexed,
    boolean stored,
    boolean sortable,
    boolean facet,
    boolean multiValued,
    List<String> copyTo) {

  /** The type of a field's values. */
  public enum Type {
    /** Words, found by the analyzer. */
    TEXT,
    /** A string that matches only as a whole, at most 32,766 bytes in UTF-8. */
    KEYWORD,
    /** A whole number of 64 bits. */
    LONG,
    /** A floating-point number of 64 bits, finite. */
    DOUBLE,
    /** An instant, in ISO-8601, kept to the millisecond. */
    DATE
  }

  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  static FieldDefinition of(String name, Settings settings) {
    Type type = settings.take("type", Type.TEXT);
    boolean text = type == Type.TEXT;
    FieldDefinition field =
        new FieldDefinition(
            name,
            type,
            settings.take("analyzer", text ? TextAnalyzer.STANDARD : TextAnalyzer.KEYWORD),
            settings.take("indexed", true),
            settings.take("stored", true),
            settings.take("sortable", !text),
            settings.take("facet", !text),
            settings.take("multiValued", false),
            settings.take("copyTo", List.of()));
    settings.requireAllTaken();
    if (!name.matches("\\*?[\\p{L}_][\\p{L}\\p{N}_.-]*|[\\p{L}_][\\p{L}\\p{N}_.-]*\\*")) {
      throw settings.refused(
          "this is no name of a field: one is a letter or _, then letters, digits, _ . and -;"
              + " of those of a pattern, * before or after it");
    }
    if (text ? field.docValues() : field.analyzer != TextAnalyzer.KEYWORD) {
      throw settings.refused("text is not sortable and no facet; all else has no analyzer");
    }
    return field;
  }

  boolean matches(String field) {
    return name.startsWith("*") && field.endsWith(name.substring(1))
        || name.endsWith("*") && field.startsWith(name.substring(0, name.length() - 1));
  }

  public boolean docValues() {
    return sortable || facet;
  }

  public boolean numeric() {
    return type != Type.TEXT && type != Type.KEYWORD;
  }

  /**
   * Converts a value to the field's type: {@link String}, {@link Double}, or {@link Long}, which
   * also holds a date in milliseconds since 1970.
   *
   * @param field the name to use in an error
   * @throws UniserveException naming the field and the value that does not fit its type
   */
  public Object valueOf(String field, Object value) {
    try {
      return switch (type) {
        case TEXT, KEYWORD -> text(value);
        case LONG -> new BigDecimal(value.toString().trim()).longValueExact();
        case DOUBLE -> finite(new BigDecimal(value.toString().trim()).doubleValue());
        case DATE -> instant(value.toString()).toEpochMilli();
      };
    } catch (ArithmeticException | NumberFormatException | DateTimeException e) {
      throw UniserveException.invalid(
          "field '" + field + "': '" + Excerpt.of(value) + "' is not " + wanted());
    }
  }

  /** Returns a typed value as users see it. */
  public Object shown(Object value) {
    return type == Type.DATE ? Instant.ofEpochMilli((Long) value).toString() : value;
  }

  /**
   * Returns the code of a number: a long with the same order. The code of a day is that of its
   * start.
   */
  public long codeOf(String field, Object value) {
    Object typed = valueOf(field, value);
    return typed instanceof Double real ? NumericUtils.doubleToSortableLong(real) : (Long) typed;
  }

  /**
   * Returns the code as {@link #codeOf} does, but for a day that of its last millisecond, since a
   * day in a query means the whole day.
   */
  public long lastCodeOf(String field, String value) {
    long code = codeOf(field, value);
    return type == Type.DATE && isDay(value) ? code + DAY_MILLIS - 1 : code;
  }

  /** Returns a lower bound of all codes. */
  public long leastCode() {
    return type == Type.DOUBLE
        ? NumericUtils.doubleToSortableLong(Double.NEGATIVE_INFINITY)
        : Long.MIN_VALUE;
  }

  /** Returns an upper bound of all codes. */
  public long mostCode() {
    return type == Type.DOUBLE
        ? NumericUtils.doubleToSortableLong(Double.POSITIVE_INFINITY)
        : Long.MAX_VALUE;
  }

  /** Returns the number with this code. */
  public Object ofCode(long code) {
    return type == Type.DOUBLE ? (Object) NumericUtils.sortableLongToDouble(code) : (Object) code;
  }

  private String text(Object value) {
    String text = value.toString();
    boolean scalar = value instanceof String || value instanceof Number || value instanceof Boolean;
    if (!scalar || analyzer == TextAnalyzer.KEYWORD && bytes(text) > IndexWriter.MAX_TERM_LENGTH) {
      throw new NumberFormatException();
    }
    return text;
  }

  private static int bytes(String text) {
    return UnicodeUtil.calcUTF16toUTF8Length(text, 0, text.length());
  }

  private static double finite(double value) {
    if (Double.isInfinite(value)) {
      throw new ArithmeticException();
    }
    return value + 0.0;
  }

  private static Instant instant(String text) {
    return isDay(text)
        ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
        : Instant.parse(text);
  }

  private static boolean isDay(String text) {
    return text.indexOf('T') < 0;
  }

  private String wanted() {
    return switch (type) {
      case TEXT, KEYWORD -> "text" + (analyzer == TextAnalyzer.KEYWORD ? " of 32766 bytes" : "");
      case LONG -> "a whole number of 64 bits";
      case DOUBLE -> "a finite number";
      case DATE -> "a date such as 2015-09-12 or 2015-09-12T10:30:00Z";
    };
  }
}
