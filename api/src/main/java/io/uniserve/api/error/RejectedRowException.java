package io.uniserve.api.error;

/**
 * A refusal of a batch because one row does not fit its table. Nothing of the batch has been
 * applied.
 */
public final class RejectedRowException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final int row;

  /**
   * Makes the exception.
   *
   * @param row the row's place in its batch, from 0
   * @param message the fault that it has, naming the field and the value
   */
  public RejectedRowException(int row, String message) {
    super(ErrorCode.INVALID_ARGUMENT, message);
    this.row = row;
  }

  /** Returns the row's place in its batch, from 0. */
  public int row() {
    return row;
  }
}
