package io.uniserve.sql.syntax;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * The postfix casts of a statement, which bind tightly. Calcite's parser would cast everything
 * before: in {@code a + b::integer} the sum. An access to a list element binds as tightly, so each
 * cast is replaced by an access of the same length before parsing, and restored in the tree.
 *
 * <pre>
 * a + b::integer   →   a + b[0      ]   →   a + cast(b as integer)
 * </pre>
 */
final class PostfixCasts extends SqlShuttle {
  /** A parser of types. */
  interface TypeParser {
    /**
     * Parses a type.
     *
     * @throws SqlParseException if the planner does not know it
     */
    SqlDataTypeSpec parse(String type) throws SqlParseException;
  }

  private static final String WORD = "(?:\"[^\"]+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)";

  private static final Pattern NAME =
      Pattern.compile(
          "\\s*(?:(?i:double\\s+precision|character\\s+varying)\\b|"
              + (WORD + "(?:\\." + WORD + ")*)"));

  private static final Pattern PARENTHESIS = Pattern.compile("\\s*\\(");
  private static final Pattern WITHIN = Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[()]");
  private static final Pattern ZONE =
      Pattern.compile("(?i)\\s+with(?:out)?\\s+(?:local\\s+)?time\\s+zone\\b");
  private static final Pattern LISTS = Pattern.compile("(?:\\s*\\[\\s*\\d*\\s*\\])+");

  /** The operator. */
  static final String SIGN = "::";

  /** The texts of the types, by the places of their replacements. */
  private final Map<SqlParserPos, String> types = new HashMap<>();

  private final Map<String, SqlDataTypeSpec> parsed = new HashMap<>();

  /**
   * Replaces a cast by an access to a list element.
   *
   * @param text the statement, whose length does not change
   * @param at the place of the operator
   * @param index the place of the type's replacement, one character further
   * @return the end of the type; empty if there is none
   */
  OptionalInt replace(StringBuilder text, int at, SqlParserPos index) {
    int from = at + SIGN.length();
    Matcher name = NAME.matcher(text).region(from, text.length());
    if (!name.lookingAt()) {
      return OptionalInt.empty();
    }
    int end = endOf(LISTS, text, endOf(ZONE, text, parentheses(text, name.end())));
    types.put(index, text.substring(from, end).strip());
    for (int i = from; i < end; i++) {
      if (text.charAt(i) != '\n') {
        text.setCharAt(i, ' ');
      }
    }
    text.replace(at, from, "[0").setCharAt(end - 1, ']');
    return OptionalInt.of(end);
  }

  private static int endOf(Pattern pattern, CharSequence text, int from) {
    Matcher found = pattern.matcher(text).region(from, text.length());
    return found.lookingAt() ? found.end() : from;
  }

  /**
   * Returns the end of the parentheses that begin at a place; the place itself if there are none or
   * they do not end.
   */
  private static int parentheses(CharSequence text, int from) {
    Matcher found = PARENTHESIS.matcher(text).region(from, text.length());
    if (!found.lookingAt()) {
      return from;
    }
    int depth = 1;
    found.usePattern(WITHIN);
    while (depth > 0 && found.find()) {
      depth += found.group().equals("(") ? 1 : found.group().equals(")") ? -1 : 0;
    }
    return depth == 0 ? found.end() : from;
  }

  /**
   * Restores the casts in the tree.
   *
   * @param parser parses the text of a type
   */
  SqlNode restored(SqlNode tree, TypeParser parser) throws SqlParseException {
    for (String type : Set.copyOf(types.values())) {
      parsed.put(type, parser.parse(type));
    }
    return types.isEmpty() ? tree : tree.accept(this);
  }

  @Override
  public SqlNode visit(SqlCall call) {
    SqlNode same = super.visit(call);
    String type =
        call.getKind() == SqlKind.ITEM ? types.get(call.operand(1).getParserPosition()) : null;
    return type == null
        ? same
        : SqlStdOperatorTable.CAST.createCall(
            call.getParserPosition(),
            ((SqlCall) same).operand(0),
            at(call.operand(1).getParserPosition(), parsed.get(type)));
  }

  private static SqlDataTypeSpec at(SqlParserPos place, SqlDataTypeSpec type) {
    return type.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec own
        ? new SqlDataTypeSpec(
            new SqlUserDefinedTypeNameSpec((SqlIdentifier) own.getTypeName().clone(place), place),
            place)
        : (SqlDataTypeSpec) type.clone(place);
  }
}
