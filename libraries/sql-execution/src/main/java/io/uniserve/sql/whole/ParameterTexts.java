package io.uniserve.sql.whole;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.SqlType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The replacement of a text's parameters, its question marks, by values. */
final class ParameterTexts {
  /** The pattern of parameters and of quoted parts that may contain question marks. */
  private static final Pattern PART =
      Pattern.compile(
          "(?s)[eE]'(?:[^'\\\\]|''|\\\\.)*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\\n]*|/\\*.*?\\*/"
              + "|\\$(\\w*)\\$.*?\\$\\1\\$|(?<parameter>\\?)");

  private ParameterTexts() {}

  /**
   * Replaces the parameters of a text by values.
   *
   * @param values the values, as in {@link io.uniserve.sql.planner.SqlPlanner#plan}
   * @throws UniserveException if there are too many or too few
   */
  static String replaced(String sql, List<?> values) {
    int count = count(sql);
    if (count != values.size()) {
      throw UniserveException.invalid(
          "SQL: the statement has " + count + " parameters, and " + values.size() + " are given");
    }
    Iterator<?> next = values.iterator();
    return PART.matcher(sql)
        .replaceAll(
            part ->
                Matcher.quoteReplacement(
                    part.group("parameter") == null ? part.group() : literal(next.next())));
  }

  /** Returns the number of parameters of a text. */
  static int count(String sql) {
    return (int)
        PART.matcher(sql).results().filter(part -> part.group("parameter") != null).count();
  }

  private static String literal(Object value) {
    return switch (value) {
      case null -> "NULL";
      case Boolean flag -> flag.toString();
      case Long number -> "(" + number + ")";
      case BigDecimal number -> "(" + number.toPlainString() + ")";
      case Double number -> "CAST('" + number + "' AS DOUBLE)";
      case LocalDate day -> "CAST('" + day + "' AS DATE)";
      case LocalDateTime time -> "CAST('" + time + "' AS TIMESTAMP)";
      case SqlType type when type.kind() == SqlType.Kind.INTEGER -> "0";
      case SqlType type -> "CAST(NULL AS " + type + ")";
      default -> "'" + value.toString().replace("'", "''") + "'";
    };
  }
}
