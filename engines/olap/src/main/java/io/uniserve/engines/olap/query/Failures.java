package io.uniserve.engines.olap.query;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.math.expr.ExpressionProcessingException;
import org.apache.druid.query.BadQueryContextException;
import org.apache.druid.query.QueryCapacityExceededException;
import org.apache.druid.query.QueryTimeoutException;
import org.apache.druid.query.QueryUnsupportedException;
import org.apache.druid.query.ResourceLimitExceededException;

/** The failures of Druid as Uniserve reports them: with a code, and with whose they are. */
public final class Failures {
  private static final String NO_JAVASCRIPT = "JavaScript is disabled";

  private static final Pattern NO_LOOKUP = Pattern.compile("Lookup \\[.*] not found");

  /** The begin of Druid's message about a scan in the order of another column than the time. */
  private static final String NO_ORDER = "Cannot execute query with orderBy";

  /** The begin of Druid's message about an expression, which it reads when it first needs it. */
  private static final String NO_EXPRESSION = "Failed to parse expression";

  private Failures() {}

  /** Returns a failure of Druid as one of Uniserve. */
  public static UniserveException of(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UniserveException known) {
        return known;
      }
      if (cause instanceof StackOverflowError) {
        return UniserveException.invalid("the query or the statement is nested too deeply");
      }
    }
    String message =
        Optional.ofNullable(failure.getMessage()).orElse(failure.getClass().getSimpleName());
    ErrorCode code =
        switch (failure) {
          case RuntimeException absent when NO_LOOKUP.matcher(message).matches() ->
              ErrorCode.NOT_FOUND;
          case QueryTimeoutException late -> ErrorCode.DEADLINE_EXCEEDED;
          case QueryCapacityExceededException full -> ErrorCode.EXHAUSTED;
          case ResourceLimitExceededException large -> ErrorCode.EXHAUSTED;
          case QueryUnsupportedException unsupported -> ErrorCode.UNSUPPORTED;
          case ParseException unreadable -> ErrorCode.INVALID_ARGUMENT;
          case BadQueryContextException bad -> ErrorCode.INVALID_ARGUMENT;
          case DruidException known -> code(known);
          case IllegalArgumentException bad -> ErrorCode.INVALID_ARGUMENT;
          case ArithmeticException bad -> ErrorCode.INVALID_ARGUMENT;
          case ExpressionProcessingException bad -> ErrorCode.INVALID_ARGUMENT;
          case RuntimeException bad when message.startsWith(NO_EXPRESSION) ->
              ErrorCode.INVALID_ARGUMENT;
          case UnsupportedOperationException unsupported -> ErrorCode.UNSUPPORTED;
          case IllegalStateException order when message.startsWith(NO_ORDER) ->
              ErrorCode.UNSUPPORTED;
          case IllegalStateException off when message.equals(NO_JAVASCRIPT) ->
              ErrorCode.UNSUPPORTED;
          default -> ErrorCode.INTERNAL;
        };
    return code == ErrorCode.INTERNAL && failure.getCause() instanceof RuntimeException cause
        ? of(cause)
        : new UniserveException(code, message, failure);
  }

  private static ErrorCode code(DruidException failure) {
    return switch (failure.getCategory()) {
      case INVALID_INPUT -> ErrorCode.INVALID_ARGUMENT;
      case UNSUPPORTED -> ErrorCode.UNSUPPORTED;
      case NOT_FOUND -> ErrorCode.NOT_FOUND;
      case CAPACITY_EXCEEDED -> ErrorCode.EXHAUSTED;
      case TIMEOUT -> ErrorCode.DEADLINE_EXCEEDED;
      case CANCELED -> ErrorCode.CANCELLED;
      default -> ErrorCode.INTERNAL;
    };
  }
}
