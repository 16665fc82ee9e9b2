package io.uniserve.surfaces;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** A failure of a request whose body arrives too slowly: nothing was done. HTTP calls it 408. */
public final class SlowBodyException extends UniserveException {
  /** Its status in HTTP. */
  public static final int STATUS = 408;

  private static final long serialVersionUID = 1L;

  /**
   * @param bytesPerSecondMin which it has to bring
   * @param seconds over which that is looked at
   */
  public SlowBodyException(int bytesPerSecondMin, long seconds) {
    super(
        ErrorCode.DEADLINE_EXCEEDED,
        "the request's body arrives too slowly: at less than "
            + bytesPerSecondMin
            + " bytes a second for "
            + seconds
            + " s");
  }
}
