package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed error report of DuckDB. DuckDB reports {@code {"exception_type": ...,
 * "exception_message": ..., "position": ...}}, with more text around it if planning fails.
 *
 * @param type the type of the error, in lower case, such as {@code binder}
 * @param message the message, one sentence or a few, on one line
 * @param position the place of the error, in bytes from the beginning of the statement, if it is
 *     known
 */
record DuckFailure(String type, String message, OptionalInt position) {
  /** The longest message that is shown, in characters. Longer ones repeat the statement. */
  private static final int MESSAGE_CHARS_MAX = 300;

  private static final Pattern TYPE = Pattern.compile("\"exception_type\":\"([^\"]*)\"");
  private static final Pattern MESSAGE =
      Pattern.compile("\"exception_message\":\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern POSITION = Pattern.compile("\"position\":\"(\\d{1,9})\"");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

  /**
   * The begin of advice on settings that nobody can set here, or of the place where the statement
   * failed.
   */
  private static final Pattern ADVICE =
      Pattern.compile(
          "(?s)\\s*(\\n\\s*(Possible solutions|This limit was set|LINE \\d)|\\(SET |\\* SET |Use \"SET ).*");

  /**
   * The report that a table is missing. The planned statement named existing tables, so the table
   * has gone since.
   */
  private static final Pattern GONE =
      Pattern.compile("Table with name ([a-z0-9_]+)(#\\d+)? does not exist");

  /** The report of the cast by which {@link ValueBounds} refuses a value. */
  private static final Pattern TOO_LARGE =
      Pattern.compile("Could not convert string '(a value of more than \\d+ bytes)' to \\w+");

  static DuckFailure of(SQLException e) {
    String text = String.valueOf(e.getMessage());
    Matcher message = MESSAGE.matcher(text);
    Matcher type = TYPE.matcher(text);
    if (!message.find() || !type.find()) {
      return new DuckFailure("", shown(text), OptionalInt.empty());
    }
    Matcher position = POSITION.matcher(text);
    return new DuckFailure(
        type.group(1).toLowerCase(Locale.ROOT),
        shown(unescaped(message.group(1))),
        position.find()
            ? OptionalInt.of(Integer.parseInt(position.group(1)))
            : OptionalInt.empty());
  }

  /** Makes the failure that DuckDB would report if it knew the memory limit of its process. */
  static SQLException outOfMemory(long megabytesMax, SQLException cause) {
    return new SQLException(
        "{\"exception_type\":\"Out of Memory\",\"exception_message\":\"the statement was ended: with it"
            + " the process had more than "
            + megabytesMax
            + " MiB\"}",
        cause);
  }

  private static String unescaped(String json) {
    return ESCAPE
        .matcher(json)
        .replaceAll(
            escape -> {
              String what = escape.group(1);
              return Matcher.quoteReplacement(
                  switch (what.charAt(0)) {
                    case 'n' -> "\n";
                    case 't' -> "\t";
                    case 'u' -> String.valueOf((char) Integer.parseInt(what.substring(1), 16));
                    default -> what;
                  });
            });
  }

  private static String shown(String text) {
    String told = TOO_LARGE.matcher(text).replaceFirst("$1");
    String line = ADVICE.matcher(told).replaceFirst("").strip().replaceAll("\\s+", " ");
    return line.length() <= MESSAGE_CHARS_MAX
        ? line
        : line.substring(0, MESSAGE_CHARS_MAX) + " ...";
  }

  /** Returns whether the database refuses all further statements. */
  boolean isFatal() {
    return type.equals("fatal");
  }

  /** Returns whether the statement was interrupted. */
  boolean isInterrupt() {
    return type.equals("interrupt") || message.contains("INTERRUPT");
  }

  /**
   * Returns the error for one of our own statements: a statement that DuckDB refuses is our defect.
   */
  UniserveException ofOurs(String what, SQLException cause) {
    Matcher gone = GONE.matcher(message);
    if (gone.find()) {
      return new UniserveException(
          ErrorCode.NOT_FOUND,
          what + ": table '" + gone.group(1) + "' was dropped, or made anew, meanwhile",
          cause);
    }
    return switch (type) {
      case "parser", "syntax", "binder", "catalog" -> error(ErrorCode.INTERNAL, what, cause);
      default -> error(code(), what, cause);
    };
  }

  /**
   * Returns the error for a statement of the caller.
   *
   * @param sql the statement
   */
  UniserveException ofCaller(String sql, SQLException cause) {
    String where = position.isPresent() ? place(sql, position.getAsInt()) : "";
    return new UniserveException(code(), "SQL: " + where + message, cause);
  }

  /** Describes the place of a byte of a text: {@code line 1, column 1: } is that of the first. */
  static String place(String sql, int byteOffset) {
    int line = 1;
    int column = 1;
    int bytes = 0;
    for (int i = 0; i < sql.length() && bytes < byteOffset; i++) {
      char c = sql.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      column = c == '\n' ? 1 : column + 1;
      line += c == '\n' ? 1 : 0;
    }
    return "line " + line + ", column " + column + ": ";
  }

  private UniserveException error(ErrorCode code, String what, SQLException cause) {
    return new UniserveException(code, what + ": " + message, cause);
  }

  /** Returns the code of the error for a statement of the caller. */
  ErrorCode code() {
    if (message.contains("No space left")) {
      return ErrorCode.EXHAUSTED;
    }
    return switch (type) {
      case "out of memory" -> ErrorCode.EXHAUSTED;
      case "interrupt" -> ErrorCode.CANCELLED;
      case "not implemented", "permission", "missing extension", "io", "dependency" ->
          ErrorCode.UNSUPPORTED;
      case "parser",
          "syntax",
          "binder",
          "catalog",
          "conversion",
          "out of range",
          "invalid input",
          "invalid type",
          "mismatch type",
          "divide by zero",
          "constraint",
          "decimal",
          "expression",
          "parameter not resolved",
          "parameter not allowed",
          "sequence",
          "object size" ->
          ErrorCode.INVALID_ARGUMENT;
      default -> isInterrupt() ? ErrorCode.CANCELLED : ErrorCode.INTERNAL;
    };
  }
}
