package io.uniserve.runtime.server.actor;

import io.uniserve.api.error.UniserveException;

/** The failure of a group of updates, one of which the engine refuses. Nothing is prepared. */
public final class RefusedMemberException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final int number;

  /**
   * @param number the number of the update, counted from 0
   * @param reason the reason, which may lie in the updates before it
   */
  public RefusedMemberException(int number, UniserveException reason) {
    super(reason.code(), "update " + number + " of a group: " + reason.getMessage(), reason);
    this.number = number;
  }

  public int number() {
    return number;
  }
}
