package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.function.Supplier;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;

/** What Calcite says is wrong with a statement, as errors of whoever wrote it. */
public final class CalciteErrors {
  private CalciteErrors() {}

  /**
   * Does some work of Calcite's.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong and
   *     where, or {@link ErrorCode#UNSUPPORTED} naming what Calcite cannot do
   */
  public static <T> T translated(Supplier<T> work) {
    try {
      return work.get();
    } catch (CalciteContextException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "SQL: " + place(e) + e.getCause().getMessage(), e);
    } catch (CalciteException e) {
      throw new UniserveException(ErrorCode.INVALID_ARGUMENT, "SQL: " + firstLine(e), e);
    } catch (UnsupportedOperationException e) {
      throw new UniserveException(ErrorCode.UNSUPPORTED, "SQL: " + firstLine(e), e);
    }
  }

  private static String place(CalciteContextException e) {
    return "line " + e.getPosLine() + ", column " + e.getPosColumn() + ": ";
  }

  /** The rest lists what the parser would have taken, or Calcite's own state. */
  static String firstLine(Exception e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse("");
  }
}
