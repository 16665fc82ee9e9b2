package io.uniserve.sql.syntax;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tokens of a statement in order, each with its place. */
final class SqlTokens {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<gap>\\s+|--[^\\n]*|/\\*(?s:.*?)\\*/)|(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*)"
              + "|\"(?<quoted>(?:[^\"]|\"\")*)\"|(?<number>\\d+)|(?<sign>[(),.;])|(?<other>\\S)");

  /** The end of the text. */
  private static final String END = "the end";

  /**
   * A token.
   *
   * @param text the text, in lower case unless it is quoted
   * @param isName true if it can be a name
   * @param isQuoted true if it is a name in quotes, and so no keyword
   * @param at its beginning
   */
  private record Token(String text, boolean isName, boolean isQuoted, int at) {}

  private final String sql;
  private final List<Token> tokens = new ArrayList<>();
  private int next;

  SqlTokens(String sql) {
    this.sql = sql;
    Matcher found = TOKEN.matcher(sql);
    while (found.find()) {
      if (found.group("quoted") != null) {
        String name = found.group("quoted").replace("\"\"", "\"");
        tokens.add(new Token(name, true, true, found.start()));
      } else if (found.group("gap") == null) {
        String text = found.group().toLowerCase(Locale.ROOT);
        tokens.add(new Token(text, found.group("word") != null, false, found.start()));
      }
    }
    tokens.add(new Token(END, false, false, sql.length()));
  }

  /** Returns the beginning of the next token. */
  int place() {
    return tokens.get(next).at();
  }

  /** Returns the next token as a text for messages. */
  String shown() {
    return tokens.get(next).text();
  }

  /** Returns whether the next tokens are these words. */
  boolean isNext(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (next + i >= tokens.size() || !is(tokens.get(next + i), words[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean is(Token token, String word) {
    return !token.isQuoted() && token.text().equals(word);
  }

  boolean atEnd() {
    return next == tokens.size() - 1;
  }

  /** Skips these words if they are next; returns whether they were. */
  boolean skip(String... words) {
    boolean there = isNext(words);
    if (there) {
      next += words.length;
    }
    return there;
  }

  /** Skips a word, which must be next. */
  void require(String word) {
    if (!skip(word)) {
      throw unexpected(word.toUpperCase(Locale.ROOT));
    }
  }

  /** Takes the next token, whatever it is. */
  String take() {
    if (atEnd()) {
      throw unexpected("more");
    }
    return tokens.get(next++).text();
  }

  /**
   * Takes the next token, which must be a name, and returns it in lower case, since names are not
   * case-sensitive.
   */
  String name() {
    if (!tokens.get(next).isName()) {
      throw unexpected("a name");
    }
    return take().toLowerCase(Locale.ROOT);
  }

  UniserveException unexpected(String wanted) {
    return UniserveException.invalid(
        "SQL: " + where(place()) + "'" + shown() + "' where " + wanted + " is expected");
  }

  /** Returns the beginning of an error about a place. */
  String where(int at) {
    long line = sql.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    return "line " + line + ", column " + (at - sql.lastIndexOf('\n', at - 1)) + ": ";
  }
}
