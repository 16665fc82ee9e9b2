package io.uniserve.sqlsyntax;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The signs of a statement, such as {@code +} and {@code <=}, as DuckDB reads them. Calcite takes
 * {@code //} for a comment, and binds others by another precedence: the first becomes a {@code /}
 * that is known by its place, the latter are refused.
 */
final class Signs {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<comment>--[^\\n]*|/\\*(?s:.*?)\\*/)"
              + "|(?<escaped>(?<![\\p{L}\\p{N}_$])[eE]'(?:[^'\\\\]|\\\\(?s:.)|'')*')"
              + "|(?<unicode>(?<![\\p{L}\\p{N}_$])(?:[uU]&|_[\\p{L}_][\\p{L}\\p{N}_]*)['\"])"
              + "|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
              + "|(?<dollar>\\$[\\p{L}_]*\\$)"
              + "|(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*)"
              + "|(?<sign>(?:(?!--|/\\*)[-+*/<>=~!@#%^&|`:])+)");

  /** Signs that mean in Calcite what they mean in DuckDB. */
  private static final Set<String> SAME =
      Set.of(
          "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "<>", "!=", "=", "||", "::", ":", "=>",
          "~", "!~", "^");

  /** Others, and what is as long and means the same. */
  private static final Map<String, String> ALIKE = Map.of("==", "= ", "//", "/ ", "**", "^ ");

  /** What may stand between a sign and a number, and is no part of the sign. */
  private static final Pattern SIGNED = Pattern.compile("[^~!@#%^&|`?]*?[^-+~!@#%^&|`?](?=[-+]+$)");

  /** Operators that are words; Calcite takes them for names. */
  private static final Set<String> WORDS = Set.of("ISNULL", "NOTNULL");

  private final String text;

  /** The places of all signs of division; true of those of whole numbers. */
  private final NavigableMap<SqlParserPos, Boolean> divisions =
      new TreeMap<>(
          Comparator.comparingInt(SqlParserPos::getLineNum)
              .thenComparingInt(SqlParserPos::getColumnNum));

  private Signs(String sql) {
    StringBuilder changed = new StringBuilder(sql);
    Matcher found = TOKEN.matcher(sql);
    while (found.find()) {
      int at = found.start();
      if (found.group("unicode") != null) {
        throw unsupported(sql, at, "a text of the kind " + found.group("unicode"));
      } else if (found.group("dollar") != null) {
        throw unsupported(sql, at, "a text in dollar signs");
      } else if (found.group("word") != null
          && WORDS.contains(found.group("word").toUpperCase(Locale.ROOT))) {
        throw unsupported(sql, at, "the operator " + found.group("word"));
      } else if (found.group("sign") != null) {
        String sign = sign(found.group("sign"));
        String same = ALIKE.getOrDefault(sign, sign);
        if (same.equals(sign) && !SAME.contains(sign)) {
          throw unsupported(sql, at, "the operator " + sign);
        }
        changed.replace(at, at + sign.length(), same);
        if (sign.equals("/") || sign.equals("//")) {
          divisions.put(place(sql, at), sign.equals("//"));
        }
        found.region(at + sign.length(), sql.length());
      }
    }
    text = changed.toString();
  }

  /** Reads those of a statement. */
  static Signs of(String sql) {
    return new Signs(sql);
  }

  private static String sign(String signs) {
    Matcher signed = SIGNED.matcher(signs);
    return signed.lookingAt()
        ? signed.group()
        : signs.matches("[-+]+") ? signs.substring(0, 1) : signs;
  }

  private static UniserveException unsupported(String sql, int at, String what) {
    SqlParserPos place = place(sql, at);
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: line %d, column %d: %s is not supported"
            .formatted(place.getLineNum(), place.getColumnNum(), what));
  }

  private static SqlParserPos place(String sql, int at) {
    int line = (int) sql.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    return new SqlParserPos(line, at - sql.lastIndexOf('\n', at - 1));
  }

  /** The statement, as long as it was, in signs that Calcite knows. */
  String text() {
    return text;
  }

  /** Whether the division by an operand is one of whole numbers: its sign is the last before. */
  boolean isWhole(SqlNode divisor) {
    Map.Entry<SqlParserPos, Boolean> sign = divisions.lowerEntry(divisor.getParserPosition());
    return sign != null && sign.getValue();
  }
}
