package io.uniserve.sql.syntax;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A respelling of DuckDB's words that Calcite's parser misreads. It moves no other character, so
 * places in errors are those of the original text.
 *
 * <pre>
 * interval 3 day              →   interval'3'day
 * interval '3 days'           →   interval '3'days
 * date_diff('day', a, b + 1)  →   $ate_diff('day', a, b + 1)
 * </pre>
 *
 * <p>The last line is for functions with their own grammar in Calcite. They get their names back
 * after parsing.
 */
final class Spelling extends SqlShuttle {
  private static final Pattern WORD =
      Pattern.compile(
          "'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\\n]*|/\\*(?s:.*?)\\*/"
              + "|(?i:\\binterval\\s(?<number>\\d+)\\s(?<unit>[a-z]+)\\b)"
              + "|(?i:\\binterval\\s*'(?<quoted>\\d+)\\s(?<quotedUnit>[a-z]+)')"
              + "|(?i:\\b(?<name>date_diff|datediff|datepart|json_array|json_object|range)"
              + "(?=\\s*\\())"
              + "|(?i:\\b(?<trim>trim)(?=\\s*\\((?!\\s*(?:both|leading|trailing)\\b)"
              + "(?![^()]*\\bfrom\\b)))");

  /** The character that replaces the first letter of a name. */
  private static final char MARK = '$';

  private static final String NAMES =
      " date_diff datediff datepart json_array json_object range trim ";

  private Spelling() {}

  /** Returns the statement in Calcite's spelling, with each unchanged character at its place. */
  static String calcite(String sql) {
    Matcher word = WORD.matcher(sql);
    StringBuilder text = new StringBuilder(sql);
    while (word.find()) {
      if (word.group("number") != null) {
        text.setCharAt(word.start("number") - 1, '\'');
        text.setCharAt(word.end("number"), '\'');
      } else if (word.group("quoted") != null) {
        text.replace(word.end("quoted"), word.end(), "'" + word.group("quotedUnit") + " ");
      } else if (word.group("name") != null) {
        text.setCharAt(word.start("name"), MARK);
      } else if (word.group("trim") != null) {
        text.setCharAt(word.start("trim"), MARK);
      }
    }
    return text.toString();
  }

  /** Restores the original names in the tree. */
  static SqlNode restored(SqlNode tree) {
    return tree.accept(new Spelling());
  }

  /** Restores the original names in a message about the statement. */
  static String restored(String message) {
    Matcher name = Pattern.compile("\\$[a-z_]+", Pattern.CASE_INSENSITIVE).matcher(message);
    return name.replaceAll(found -> Matcher.quoteReplacement(original(found.group())));
  }

  @Override
  public SqlNode visit(SqlCall call) {
    SqlNode same = super.visit(call);
    String name = call.getOperator().getName();
    if (!(call.getOperator() instanceof SqlUnresolvedFunction) || original(name).equals(name)) {
      return same;
    }
    SqlCall written = (SqlCall) same;
    SqlIdentifier function = new SqlIdentifier(original(name), call.getParserPosition());
    return new SqlUnresolvedFunction(
            function, null, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION)
        .createCall(
            written.getFunctionQuantifier(),
            written.getParserPosition(),
            written.getOperandList().toArray(SqlNode[]::new));
  }

  private static String original(String name) {
    if (name.charAt(0) != MARK) {
      return name;
    }
    int at = NAMES.indexOf(name.substring(1).toLowerCase(Locale.ROOT) + " ") - 1;
    return at > 0 && NAMES.charAt(at - 1) == ' ' ? NAMES.charAt(at) + name.substring(1) : name;
  }
}
