package io.uniserve.engines.sharedscan.sql;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.sql.Lexer.Kind;
import io.uniserve.engines.sharedscan.sql.Lexer.Token;
import java.util.List;
import java.util.Set;

/** The words, numbers, texts and signs of a statement, one after another. */
final class Tokens {
  private final List<Token> tokens;
  private int next;

  Tokens(String sql) {
    this.tokens = Lexer.tokens(sql);
  }

  private Token peek() {
    return tokens.get(next);
  }

  /** Returns whether a word or sign comes next. */
  boolean sees(String wanted) {
    return peek().text().equals(wanted)
        && (peek().kind() == Kind.WORD || peek().kind() == Kind.SIGN);
  }

  /** Returns whether a word or sign comes after the next. */
  boolean seesAfter(String wanted) {
    return next + 1 < tokens.size() && tokens.get(next + 1).text().equals(wanted);
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
    return peek().kind() == Kind.NAME
        || peek().kind() == Kind.WORD && !words.contains(peek().text());
  }

  /** Returns whether a text comes next. */
  boolean seesText() {
    return peek().kind() == Kind.TEXT;
  }

  /** Returns whether a text comes after the next. */
  boolean seesTextAfter() {
    return next + 1 < tokens.size() && tokens.get(next + 1).kind() == Kind.TEXT;
  }

  /** Returns whether a number comes next. */
  boolean seesNumber() {
    return peek().kind() == Kind.NUMBER;
  }

  boolean seesEnd() {
    return peek().kind() == Kind.END;
  }

  /** Takes the text of whatever comes next. The end stays. */
  String take() {
    Token token = peek();
    next += token.kind() == Kind.END ? 0 : 1;
    return token.text();
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
            + peek().at()
            + " comes '"
            + Excerpt.of(peek().text())
            + "', not "
            + wanted);
  }
}
