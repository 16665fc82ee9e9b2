package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private static final String MESSAGE = "\"exception_message\":\"";
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

  /**
   * The report of a refusal by {@link ValueRoom}. The driver puts a class before it, and a stack
   * after it.
   */
  private static final Pattern REFUSED =
      Pattern.compile(
          "(?s)java\\.sql\\.SQLException: ((%s|%s|%s)[^\\n]*)\\n.*"
              .formatted(ValueRoom.LACKS, ValueRoom.TOO_LARGE, ValueRoom.REFUSED_CHANGE));

  /** A call with more arguments than {@link JoinBounds} has. */
  private static final Pattern TOO_MANY =
      Pattern.compile("(?s)Macro \"?(concat|concat_ws|format|printf)\\b.*");

  /** The type of what {@link #ofQuery} makes of a defect of DuckDB's own. */
  private static final String OWN_DEFECT = "own defect";

  /** The type of refusals of values that are too large at any time. */
  private static final String OVERSIZE = "oversize";

  private static final int DEFECTS_MAX = 100;
  private static final Set<String> KNOWN_DEFECTS = ConcurrentHashMap.newKeySet();
  private static final System.Logger LOG = System.getLogger(DuckFailure.class.getName());

  static DuckFailure of(SQLException e) {
    String text = String.valueOf(e.getMessage());
    int begin = text.indexOf(MESSAGE);
    Matcher kind = TYPE.matcher(text);
    if (begin < 0 || !kind.find()) {
      return new DuckFailure("", shown(text), OptionalInt.empty());
    }
    String told = unescaped(quoted(text, begin + MESSAGE.length()));
    Matcher refused = REFUSED.matcher(told);
    if (refused.matches()) {
      String type =
          switch (refused.group(2)) {
            case ValueRoom.LACKS -> "out of memory";
            case ValueRoom.TOO_LARGE -> OVERSIZE;
            default -> "invalid input";
          };
      return new DuckFailure(type, refused.group(1), OptionalInt.empty());
    }
    Matcher tooMany = TOO_MANY.matcher(told);
    if (tooMany.matches()) {
      return new DuckFailure(
          "not implemented",
          tooMany.group(1) + " of more than " + JoinBounds.ARGUMENTS_MAX + " arguments",
          OptionalInt.empty());
    }
    Matcher position = POSITION.matcher(text);
    return new DuckFailure(
        kind.group(1).toLowerCase(Locale.ROOT),
        shown(told),
        position.find()
            ? OptionalInt.of(Integer.parseInt(position.group(1)))
            : OptionalInt.empty());
  }

  /** Makes the failure that DuckDB would report if it knew the memory limit of its process. */
  static SQLException outOfMemory(String message) {
    return report("Out of Memory", message);
  }

  /** Makes the failure that DuckDB would report if it bounded values. */
  static SQLException tooLarge(String message) {
    return report("Oversize", message);
  }

  /**
   * Returns the failure of a query. A defect of DuckDB's own is neither the query's nor ours: the
   * same in other words may succeed, and another attempt does not. Its stack is logged once.
   */
  static SQLException ofQuery(SQLException failure) {
    DuckFailure told = of(failure);
    if (!told.type.equals("internal")) {
      return failure;
    }
    if (KNOWN_DEFECTS.size() < DEFECTS_MAX
        && KNOWN_DEFECTS.add(told.message.replaceAll("\\d+", ""))) {
      LOG.log(System.Logger.Level.WARNING, "DuckDB fails on a statement", failure);
    }
    SQLException own =
        report(
            OWN_DEFECT,
            "DuckDB itself fails on this statement; write it in other words: " + told.message);
    own.initCause(failure);
    return own;
  }

  private static SQLException report(String type, String message) {
    return new SQLException(
        "{\"exception_type\":\"%s\",%s%s\"}"
            .formatted(type, MESSAGE, message.replace("\\", "\\\\").replace("\"", "\\\"")));
  }

  /** The text up to the quotation mark that ends it: patterns cannot, of long ones. */
  private static String quoted(String json, int begin) {
    int end = begin;
    while (end < json.length() && json.charAt(end) != '"') {
      end += json.charAt(end) == '\\' ? 2 : 1;
    }
    return json.substring(begin, Math.min(end, json.length()));
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
    String line = ADVICE.matcher(text).replaceFirst("").strip().replaceAll("\\s+", " ");
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
      case OVERSIZE -> ErrorCode.TOO_LARGE;
      case "interrupt" -> ErrorCode.CANCELLED;
      case "not implemented", "permission", "missing extension", "io", "dependency", OWN_DEFECT ->
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
