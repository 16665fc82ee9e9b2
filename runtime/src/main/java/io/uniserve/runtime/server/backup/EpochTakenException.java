package io.uniserve.runtime.server.backup;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * The refusal of an epoch that another primary has in the durable store, or that is over there.
 * That primary may be one of a copy of this cluster, which this cluster's controllers do not know:
 * only a later epoch helps.
 */
public final class EpochTakenException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final long epoch;

  EpochTakenException(long epoch, String message) {
    super(ErrorCode.STALE_ROUTING, message);
    this.epoch = epoch;
  }

  /** Returns the epoch that this server was to lead. */
  public long epoch() {
    return epoch;
  }
}
