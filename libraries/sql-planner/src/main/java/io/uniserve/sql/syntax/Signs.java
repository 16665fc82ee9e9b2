package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
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
 * The operator signs of a statement, such as {@code +} and {@code <=}, as DuckDB reads them.
 * Calcite reads {@code //} as a comment and gives other signs another precedence. {@code //}
 * becomes a {@code /} that is recognised by its place, {@code ::} is replaced by {@link
 * PostfixCasts}, and the rest is refused.
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

  /** The signs with the same meaning in Calcite and DuckDB. */
  private static final Set<String> SAME =
      Set.of(
          "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "<>", "!=", "=", "||", ":", "=>", "~",
          "!~", "^");

  /** Other signs, with replacements of the same length and meaning. */
  private static final Map<String, String> ALIKE = Map.of("==", "= ", "//", "/ ", "**", "^ ");

  /** The pattern of a sign before a number, which ends before the number's own sign. */
  private static final Pattern SIGNED = Pattern.compile("[^~!@#%^&|`?]*?[^-+~!@#%^&|`?](?=[-+]+$)");

  /** The operators that are words, which Calcite reads as names. */
  private static final Set<String> WORDS = Set.of("ISNULL", "NOTNULL");

  private final String text;

  /** The numbers of the statement's lines, by their beginnings. */
  private final NavigableMap<Integer, Integer> lines;

  private final PostfixCasts casts = new PostfixCasts();

  /** The places of all division signs; true for those of whole numbers. */
  private final NavigableMap<SqlParserPos, Boolean> divisions =
      new TreeMap<>(
          Comparator.comparingInt(SqlParserPos::getLineNum)
              .thenComparingInt(SqlParserPos::getColumnNum));

  private Signs(String sql) {
    lines = lines(sql);
    StringBuilder changed = new StringBuilder(sql);
    Matcher found = TOKEN.matcher(sql);
    while (found.find()) {
      int at = found.start();
      if (found.group("unicode") != null) {
        throw unsupported(at, "a text of the kind " + found.group("unicode"));
      } else if (found.group("dollar") != null) {
        throw unsupported(at, "a text in dollar signs");
      } else if (found.group("word") != null
          && WORDS.contains(found.group("word").toUpperCase(Locale.ROOT))) {
        throw unsupported(at, "the operator " + found.group("word"));
      } else if (found.group("sign") != null) {
        found.region(read(sign(found.group("sign")), at, changed), sql.length());
      }
    }
    text = changed.toString();
  }

  /** Reads a sign and returns its end. */
  private int read(String sign, int at, StringBuilder changed) {
    if (sign.equals(PostfixCasts.SIGN)) {
      // The type's replacement comes one character after the replacement of the operator.
      return casts
          .replace(changed, at, place(at + 1))
          .orElseThrow(() -> unsupported(at, "the type behind " + sign));
    }
    String same = ALIKE.getOrDefault(sign, sign);
    if (same.equals(sign) && !SAME.contains(sign)) {
      throw unsupported(at, "the operator " + sign);
    }
    changed.replace(at, at + sign.length(), same);
    if (sign.equals("/") || sign.equals("//")) {
      divisions.put(place(at), sign.equals("//"));
    }
    return at + sign.length();
  }

  /** Reads the signs of a statement. */
  static Signs of(String sql) {
    return new Signs(sql);
  }

  private static String sign(String signs) {
    Matcher signed = SIGNED.matcher(signs);
    return signed.lookingAt()
        ? signed.group()
        : signs.matches("[-+]+") ? signs.substring(0, 1) : signs;
  }

  private UniserveException unsupported(int at, String what) {
    SqlParserPos place = place(at);
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: line %d, column %d: %s is not supported"
            .formatted(place.getLineNum(), place.getColumnNum(), what));
  }

  private SqlParserPos place(int at) {
    Map.Entry<Integer, Integer> line = lines.floorEntry(at);
    return new SqlParserPos(line.getValue(), at - line.getKey() + 1);
  }

  private static NavigableMap<Integer, Integer> lines(String sql) {
    NavigableMap<Integer, Integer> lines = new TreeMap<>(Map.of(0, 1));
    for (int end = sql.indexOf('\n'); end >= 0; end = sql.indexOf('\n', end + 1)) {
      lines.put(end + 1, lines.size() + 1);
    }
    return lines;
  }

  /** Returns the statement in signs that Calcite knows, with the same length. */
  String text() {
    return text;
  }

  /** Returns the postfix casts. */
  PostfixCasts casts() {
    return casts;
  }

  /**
   * Returns whether the division by an operand is one of whole numbers. Its sign is the last one
   * before the operand.
   */
  boolean isWhole(SqlNode divisor) {
    Map.Entry<SqlParserPos, Boolean> sign = divisions.lowerEntry(divisor.getParserPosition());
    return sign != null && sign.getValue();
  }
}
