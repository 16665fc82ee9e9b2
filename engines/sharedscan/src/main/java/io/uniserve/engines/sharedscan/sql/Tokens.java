package io.uniserve.engines.sharedscan.sql;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words, numbers, texts and signs of a statement, one after another. */
final class Tokens {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:--[^\\n]*\\n?\\s*|/\\*.*?\\*/\\s*)*"
              + "(?:(?<word>[A-Za-z_][A-Za-z0-9_]*)"
              + "|(?<quoted>\"(?:[^\"]|\"\")+\")"
              + "|(?<number>(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "|(?<text>'(?:[^']|'')*')"
              + "|(?<sign><>|!=|<=|>=|[(),.*=<>;+?-]))",
          Pattern.DOTALL);
  private static final Pattern BLANK =
      Pattern.compile("\\s*(?:--[^\\n]*\\n?\\s*|/\\*.*?\\*/\\s*)*", Pattern.DOTALL);

  /** The most characters of a statement. */
  private static final int LENGTH_MAX = 1 << 20;

  private enum Kind {
    WORD,
    NAME,
    NUMBER,
    TEXT,
    SIGN,
    END
  }

  private record Token(Kind kind, String text, int at) {}

  private final List<Token> tokens = new ArrayList<>();
  private int next;

  Tokens(String sql) {
    if (sql.length() > LENGTH_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a statement has at most " + LENGTH_MAX + " characters");
    }
    Matcher matcher = TOKEN.matcher(sql);
    int at = 0;
    while (matcher.find(at) && matcher.start() == at) {
      tokens.add(token(matcher));
      at = matcher.end();
    }
    Matcher blank = BLANK.matcher(sql);
    if (!blank.find(at) || blank.start() != at || blank.end() < sql.length()) {
      throw UniserveException.invalid(
          "SQL: no statement of a shared scan has '" + Excerpt.of(sql.substring(at).strip()) + "'");
    }
    tokens.add(new Token(Kind.END, "the end", sql.length()));
  }

  private static Token token(Matcher matcher) {
    if (matcher.group("word") != null) {
      return new Token(
          Kind.WORD, matcher.group("word").toLowerCase(Locale.ROOT), matcher.start("word"));
    }
    if (matcher.group("quoted") != null) {
      String name = matcher.group("quoted");
      return new Token(
          Kind.NAME,
          name.substring(1, name.length() - 1).replace("\"\"", "\""),
          matcher.start("quoted"));
    }
    if (matcher.group("number") != null) {
      return new Token(Kind.NUMBER, matcher.group("number"), matcher.start("number"));
    }
    if (matcher.group("text") != null) {
      String text = matcher.group("text");
      return new Token(
          Kind.TEXT,
          text.substring(1, text.length() - 1).replace("''", "'"),
          matcher.start("text"));
    }
    return new Token(Kind.SIGN, matcher.group("sign"), matcher.start("sign"));
  }

  private Token peek() {
    return tokens.get(next);
  }

  /** Returns whether a word or sign comes next. */
  boolean sees(String wanted) {
    return peek().text.equals(wanted) && (peek().kind == Kind.WORD || peek().kind == Kind.SIGN);
  }

  /** Returns whether a word or sign comes after the next. */
  boolean seesAfter(String wanted) {
    return next + 1 < tokens.size() && tokens.get(next + 1).text.equals(wanted);
  }

  /** Takes a word or sign if it comes next. */
  boolean takes(String wanted) {
    boolean seen = sees(wanted);
    next += seen ? 1 : 0;
    return seen;
  }

  /** Takes a word or sign that has to come next. */
  void require(String wanted) {
    if (!takes(wanted)) {
      throw unexpected("'" + wanted + "'");
    }
  }

  /** Takes a name, which is no word of some. */
  String name(Set<String> words) {
    if (seesName(words)) {
      return take();
    }
    throw unexpected("a name");
  }

  /** Returns whether a name comes next, which is no word of some. */
  boolean seesName(Set<String> words) {
    return peek().kind == Kind.NAME || peek().kind == Kind.WORD && !words.contains(peek().text);
  }

  /** Returns whether a text comes next. */
  boolean seesText() {
    return peek().kind == Kind.TEXT;
  }

  /** Returns whether a text comes after the next. */
  boolean seesTextAfter() {
    return next + 1 < tokens.size() && tokens.get(next + 1).kind == Kind.TEXT;
  }

  /** Returns whether a number comes next. */
  boolean seesNumber() {
    return peek().kind == Kind.NUMBER;
  }

  boolean seesEnd() {
    return peek().kind == Kind.END;
  }

  /** Takes the text of whatever comes next. */
  String take() {
    return tokens.get(next++).text;
  }

  /** Requires that nothing follows but a semicolon. */
  void requireEnd() {
    takes(";");
    if (!seesEnd()) {
      throw unexpected("the end");
    }
  }

  UniserveException unexpected(String wanted) {
    return UniserveException.invalid(
        "SQL: after character "
            + peek().at
            + " comes '"
            + Excerpt.of(peek().text)
            + "', not "
            + wanted);
  }
}
