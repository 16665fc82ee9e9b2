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

/** The parameters of a text, its question marks, with values in their place. */
final class ParameterTexts {
  /** Whatever may hold a question mark that is none, or is one. */
  private static final Pattern PART =
      Pattern.compile(
          "(?s)[eE]'(?:[^'\\\\]|''|\\\\.)*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\\n]*|/\\*.*?\\*/"
              + "|\\$(\\w*)\\$.*?\\$\\1\\$|(?<parameter>\\?)");

  private ParameterTexts() {}

  /**
   * A text with values in the place of its parameters.
   *
   * @param values as of {@link io.uniserve.sql.planner.SqlPlanner#plan}
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

  /** How many parameters a text has. */
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
