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
 * Casts that stand behind what they cast, which is as little as can be. Calcite's parser casts all
 * that stands before: of {@code a + b::integer} the sum. An element of a list binds as a cast does,
 * so that it is given one that is as long, and the cast takes its place once it is parsed.
 *
 * <pre>
 * a + b::integer   →   a + b[0      ]   →   a + cast(b as integer)
 * </pre>
 */
final class PostfixCasts extends SqlShuttle {
  /** Reads types. */
  interface TypeParser {
    /**
     * Reads one.
     *
     * @throws SqlParseException if it is none that the planner knows
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

  /** The sign. */
  static final String SIGN = "::";

  /** The types as they are written, by the places of what stands for them. */
  private final Map<SqlParserPos, String> types = new HashMap<>();

  private final Map<String, SqlDataTypeSpec> parsed = new HashMap<>();

  /**
   * Writes one as an element of a list.
   *
   * @param text the statement, which stays as long as it is
   * @param at the place of the sign
   * @param index the place of what stands for the type: one character further
   * @return where the type ends; empty if there is none
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

  /** Where the parentheses end that begin at a place, if they do. */
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
   * The tree with the casts.
   *
   * @param parser of the text of a type
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
