package io.uniserve.engines.sharedscan.sql;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A reader of the characters of a statement, which takes one word or sign after another. */
final class Lexer {
  /** The most characters of a statement. */
  private static final int LENGTH_MAX = 1 << 20;

  private static final List<String> DOUBLE_SIGNS = List.of("<>", "!=", "<=", ">=");
  private static final String SIGNS = "(),.*=<>;+?-";

  /** The kinds of tokens. */
  enum Kind {
    WORD,
    NAME,
    NUMBER,
    TEXT,
    SIGN,
    END
  }

  /**
   * A word, number, text or sign.
   *
   * @param text its characters: of a word in lower case, of a text without its quotes
   * @param at the number of characters before it
   */
  record Token(Kind kind, String text, int at) {}

  private final String sql;
  private int at;

  private Lexer(String sql) {
    this.sql = sql;
  }

  /** Returns the tokens of a statement, and the end after them. */
  static List<Token> tokens(String sql) {
    if (sql.length() > LENGTH_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a statement has at most " + LENGTH_MAX + " characters");
    }
    Lexer lexer = new Lexer(sql);
    List<Token> tokens = new ArrayList<>(sql.length() / 5 + 2);
    Token token;
    do {
      token = lexer.next();
      tokens.add(token);
    } while (token.kind != Kind.END);
    return tokens;
  }

  private Token next() {
    skipBlanks();
    int start = at;
    if (at == sql.length()) {
      return new Token(Kind.END, "the end", at);
    }
    char first = sql.charAt(at);
    if (isLetter(first)) {
      skipWord();
      return new Token(Kind.WORD, sql.substring(start, at).toLowerCase(Locale.ROOT), start);
    }
    if (isDigit(first) || first == '.' && isDigit(after(1))) {
      skipNumber();
      return new Token(Kind.NUMBER, sql.substring(start, at), start);
    }
    if (first == '\'') {
      return new Token(Kind.TEXT, quoted(first, "a text"), start);
    }
    if (first == '"') {
      return new Token(Kind.NAME, quoted(first, "a name"), start);
    }
    return sign();
  }

  private Token sign() {
    int start = at;
    for (String sign : DOUBLE_SIGNS) {
      if (sql.startsWith(sign, at)) {
        at += sign.length();
        return new Token(Kind.SIGN, sign, start);
      }
    }
    if (SIGNS.indexOf(sql.charAt(at)) < 0) {
      throw UniserveException.invalid(
          "SQL: no statement of a shared scan has '" + Excerpt.of(sql.substring(at).strip()) + "'");
    }
    at++;
    return new Token(Kind.SIGN, sql.substring(start, at), start);
  }

  private void skipBlanks() {
    while (at < sql.length()) {
      if (Character.isWhitespace(sql.charAt(at))) {
        at++;
      } else if (sql.startsWith("--", at)) {
        int end = sql.indexOf('\n', at);
        at = end < 0 ? sql.length() : end + 1;
      } else if (sql.startsWith("/*", at)) {
        int end = sql.indexOf("*/", at + 2);
        if (end < 0) {
          throw unclosed("a comment", at);
        }
        at = end + 2;
      } else {
        return;
      }
    }
  }

  private void skipWord() {
    while (at < sql.length() && (isLetter(sql.charAt(at)) || isDigit(sql.charAt(at)))) {
      at++;
    }
  }

  private void skipNumber() {
    skipDigits();
    if (after(0) == '.') {
      at++;
      skipDigits();
    }
    if (after(0) == 'e' || after(0) == 'E') {
      int sign = after(1) == '+' || after(1) == '-' ? 1 : 0;
      if (isDigit(after(1 + sign))) {
        at += 1 + sign;
        skipDigits();
      }
    }
  }

  private void skipDigits() {
    while (isDigit(after(0))) {
      at++;
    }
  }

  /** Takes what is between two quotes; a doubled quote stands for one. */
  private String quoted(char quote, String what) {
    int start = at;
    StringBuilder text = new StringBuilder();
    int from = at + 1;
    while (true) {
      int end = sql.indexOf(quote, from);
      if (end < 0) {
        throw unclosed(what, start);
      }
      text.append(sql, from, end);
      at = end + 1;
      if (after(0) != quote) {
        return text.toString();
      }
      text.append(quote);
      from = end + 2;
    }
  }

  private static UniserveException unclosed(String what, int start) {
    return UniserveException.invalid(
        "SQL: " + what + " that begins after character " + start + " has no end");
  }

  /** Returns the character some places on, or 0 after the last. */
  private char after(int places) {
    return at + places < sql.length() ? sql.charAt(at + places) : 0;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
