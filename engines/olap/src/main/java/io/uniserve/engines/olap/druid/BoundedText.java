package io.uniserve.engines.olap.druid;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.math.expr.Parser;

/**
 * A function of Druid that makes a text which may be much longer than what it is given, such as
 * {@code repeat}. It is the same, but refuses to make more than {@value #CHARS_MAX} characters: one
 * row could otherwise take all memory of a server, which ends then, as do those that are asked
 * after it.
 */
abstract class BoundedText implements ExprMacroTable.ExprMacro {
  /** The greatest length of a text. */
  static final long CHARS_MAX = 10_000_000;

  /** The function {@code repeat(text, times)}. */
  static final class Repeat extends BoundedText {
    Repeat() {
      super("repeat");
    }

    @Override
    long chars(List<ExprEval<?>> given) {
      return text(given.get(0)).length() * Math.max(0L, given.get(1).asLong());
    }
  }

  /** The function {@code lpad(text, length, filling)}. */
  static final class PadLeft extends BoundedText {
    PadLeft() {
      super("lpad");
    }

    @Override
    long chars(List<ExprEval<?>> given) {
      return given.get(1).asLong();
    }
  }

  /** The function {@code rpad(text, length, filling)}. */
  static final class PadRight extends BoundedText {
    PadRight() {
      super("rpad");
    }

    @Override
    long chars(List<ExprEval<?>> given) {
      return given.get(1).asLong();
    }
  }

  /** The function {@code replace(text, pattern, replacement)}. */
  static final class Replace extends BoundedText {
    Replace() {
      super("replace");
    }

    @Override
    long chars(List<ExprEval<?>> given) {
      String text = text(given.get(0));
      String pattern = text(given.get(1));
      long more = text(given.get(2)).length() - pattern.length();
      return more <= 0 ? text.length() : text.length() + more * (occurrences(text, pattern));
    }

    private static long occurrences(String text, String pattern) {
      if (pattern.isEmpty()) {
        return text.length() + 1L;
      }
      long count = 0;
      int at = text.indexOf(pattern);
      while (at >= 0) {
        count++;
        at = text.indexOf(pattern, at + pattern.length());
      }
      return count;
    }
  }

  /** The function {@code format(pattern, values...)}, whose pattern has the widths of values. */
  static final class Format extends BoundedText {
    private static final Pattern WIDTH = Pattern.compile("%[^%a-zA-Z]*?([0-9]{5,})");

    Format() {
      super("format");
    }

    @Override
    long chars(List<ExprEval<?>> given) {
      Matcher widths = WIDTH.matcher(text(given.getFirst()));
      return widths.results().mapToLong(width -> length(width.group(1))).sum();
    }

    @Override
    boolean isNull(List<ExprEval<?>> given) {
      return given.getFirst().value() == null;
    }

    private static long length(String digits) {
      return digits.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(digits);
    }
  }

  private final String name;

  private BoundedText(String name) {
    this.name = name;
  }

  /** Returns the length of the text that the function would make, or more. */
  abstract long chars(List<ExprEval<?>> given);

  /** Returns whether the text of some values is null, since one of them is. */
  boolean isNull(List<ExprEval<?>> given) {
    return given.stream().anyMatch(value -> value.value() == null);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Expr apply(List<Expr> arguments) {
    // Druid's own function, of arguments whose values are named by their numbers.
    String numbered =
        IntStream.range(0, arguments.size())
            .mapToObj(number -> "\"" + number + "\"")
            .collect(Collectors.joining(", "));
    Expr function = Parser.parse(name + "(" + numbered + ")", ExprMacroTable.nil());
    return new Bounded(this, arguments, function);
  }

  private static String text(ExprEval<?> value) {
    String text = value.asString();
    return text == null ? "" : text;
  }

  private void require(List<ExprEval<?>> given) {
    long chars = chars(given);
    if (chars > CHARS_MAX) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          name + " would make a text of " + chars + " characters, at most " + CHARS_MAX);
    }
  }

  /** A call of the function. */
  private static final class Bounded extends ExprMacroTable.BaseScalarMacroFunctionExpr {
    private final BoundedText macro;
    private final Expr function;

    Bounded(BoundedText macro, List<Expr> arguments, Expr function) {
      super(macro, arguments);
      this.macro = macro;
      this.function = function;
    }

    @Override
    public ExprEval<?> eval(ObjectBinding bindings) {
      List<ExprEval<?>> given =
          args.stream().<ExprEval<?>>map(argument -> argument.eval(bindings)).toList();
      if (macro.isNull(given)) {
        return ExprEval.of((String) null);
      }
      macro.require(given);
      return function.eval(
          new ObjectBinding() {
            @Override
            public Object get(String number) {
              return given.get(Integer.parseInt(number)).value();
            }

            @Override
            public ExpressionType getType(String number) {
              return given.get(Integer.parseInt(number)).type();
            }
          });
    }

    @Override
    public ExpressionType getOutputType(InputBindingInspector inspector) {
      return ExpressionType.STRING;
    }
  }
}
