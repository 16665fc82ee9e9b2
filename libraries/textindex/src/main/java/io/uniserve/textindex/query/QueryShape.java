package io.uniserve.textindex.query;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A check of a query's text before it is parsed. It checks bounds, which hold in every language,
 * and finds constructs of Solr's language that Lucene's would misread. Text in quotes or slashes,
 * and escaped characters, are skipped.
 */
final class QueryShape {
  /** The longest query, in characters. */
  static final int CHARACTERS_MAX = 256 << 10;

  /** The deepest nesting of parentheses. */
  static final int DEPTH_MAX = 100;

  private static final String CACHED = "filter(";

  private final String text;
  private int depth;

  private QueryShape(String text) {
    this.text = text;
  }

  /**
   * Checks a text.
   *
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE} naming the bound, or {@link
   *     ErrorCode#UNSUPPORTED} naming the construct
   */
  static void check(String text) {
    if (text.length() > CHARACTERS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a query longer than " + CHARACTERS_MAX + " characters");
    }
    new QueryShape(text).check();
  }

  private void check() {
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '"' -> i = closing('"', i);
        case '/' -> i = slash(i);
        case '(' -> deeper();
        case ')' -> depth--;
        case 'f' -> refuseCached(i);
        default -> {
          // a part of a word
        }
      }
    }
  }

  private void deeper() {
    depth++;
    if (depth > DEPTH_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a query with parentheses deeper than " + DEPTH_MAX);
    }
  }

  private int slash(int start) {
    if (text.startsWith("/*", start)) {
      throw unsupported("a comment, /* … */,");
    }
    return closing('/', start);
  }

  /** Returns the end of the quotes or slashes that begin here; this place if they do not end. */
  private int closing(char mark, int start) {
    for (int i = start + 1; i < text.length(); i++) {
      if (text.charAt(i) == mark) {
        return i;
      }
      i += text.charAt(i) == '\\' ? 1 : 0;
    }
    return start;
  }

  private void refuseCached(int start) {
    boolean begins = start == 0 || " \t\r\n\f\u3000+-!(:".indexOf(text.charAt(start - 1)) >= 0;
    if (begins && text.startsWith(CACHED, start)) {
      throw unsupported("filter(…)");
    }
  }

  private static UniserveException unsupported(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, what + " is not supported in a query");
  }
}
