package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.actor.ReplicaTarget;

/** The failure of an update, since its actor has prepared a transaction that is not decided yet. */
public final class OccupiedException extends UniserveException {
  private static final long serialVersionUID = 1L;

  OccupiedException(ReplicaTarget target, OpenTransaction open) {
    super(ErrorCode.UNAVAILABLE, target + " does not know yet the outcome of " + open);
  }
}
