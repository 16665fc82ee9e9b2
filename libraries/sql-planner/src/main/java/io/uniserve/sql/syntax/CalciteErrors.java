package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.function.Supplier;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;

/** The conversion of Calcite's errors to errors of the statement's author. */
public final class CalciteErrors {
  private CalciteErrors() {}

  /**
   * Runs work of Calcite and converts its errors.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the wrong part and its
   *     place, or {@link ErrorCode#UNSUPPORTED} naming the part that Calcite cannot process
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

  /**
   * Returns the first line of a message. The rest lists the tokens that the parser expected, or
   * Calcite's own state.
   */
  static String firstLine(Exception e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse("");
  }
}
