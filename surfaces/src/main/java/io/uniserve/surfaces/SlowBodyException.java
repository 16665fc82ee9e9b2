package io.uniserve.surfaces;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A failure of a request whose body arrives too slowly. No part of the request was carried out. Its
 * HTTP status is 408.
 */
public final class SlowBodyException extends UniserveException {
  /** The HTTP status. */
  public static final int STATUS = 408;

  private static final long serialVersionUID = 1L;

  /**
   * Makes the failure.
   *
   * @param bytesPerSecondMin the least rate of bytes
   * @param seconds the time over which the rate is measured
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
