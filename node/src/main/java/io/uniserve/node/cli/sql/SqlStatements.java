package io.uniserve.node.cli.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * A splitter of text into statements, each of which ends with a semicolon that is neither in quotes
 * nor in a comment.
 */
final class SqlStatements {
  private enum Within {
    NOTHING,
    TEXT,
    NAME,
    LINE_COMMENT,
    COMMENT
  }

  private final StringBuilder unfinished = new StringBuilder();
  private Within within = Within.NOTHING;

  /** True if the unfinished statement has any text, comments aside. */
  private boolean says;

  /** Adds a line, and returns the statements that it finishes, without their semicolons. */
  List<String> add(String line) {
    List<String> finished = new ArrayList<>();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == ';' && within == Within.NOTHING) {
        if (says) {
          finished.add(unfinished.toString().strip());
        }
        clear();
      } else {
        unfinished.append(c);
        if (pass(c, i + 1 < line.length() ? line.charAt(i + 1) : '\n')) {
          unfinished.append(line.charAt(++i));
        }
      }
    }
    if (!unfinished.isEmpty()) {
      unfinished.append('\n');
    }
    if (within == Within.LINE_COMMENT) {
      within = Within.NOTHING;
    }
    return finished;
  }

  /** Returns whether the next character belongs to this one. */
  private boolean pass(char c, char next) {
    switch (within) {
      case NOTHING -> {
        if (c == '-' && next == '-') {
          within = Within.LINE_COMMENT;
          return true;
        }
        if (c == '/' && next == '*') {
          within = Within.COMMENT;
          return true;
        }
        within = c == '\'' ? Within.TEXT : c == '"' ? Within.NAME : Within.NOTHING;
        says |= !Character.isWhitespace(c);
      }
      // A doubled quote ends the text and begins another at once, which has the same result.
      case TEXT -> within = c == '\'' ? Within.NOTHING : within;
      case NAME -> within = c == '"' ? Within.NOTHING : within;
      case COMMENT -> {
        if (c == '*' && next == '/') {
          within = Within.NOTHING;
          return true;
        }
      }
      case LINE_COMMENT -> {
        // It ends with its line.
      }
    }
    return false;
  }

  /** Returns the unfinished statement; empty if it has no text. */
  String rest() {
    return says ? unfinished.toString().strip() : "";
  }

  /** Returns whether a statement, or a comment, is begun and not finished. */
  boolean begun() {
    return says || within != Within.NOTHING;
  }

  private void clear() {
    unfinished.setLength(0);
    says = false;
  }
}
