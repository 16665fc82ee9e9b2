package io.uniserve.policy.placement.model;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A failure because no assignment meets all constraints. Its message begins with the constraint
 * that cannot be met.
 */
public final class InfeasibleException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private InfeasibleException(ErrorCode code, String message) {
    super(code, message);
  }

  /** Makes the failure for a cluster without a server that may hold actors. */
  public static InfeasibleException servers(String message) {
    return new InfeasibleException(ErrorCode.EXHAUSTED, "servers: " + message);
  }

  /** Makes the failure for actors that are pinned to servers that cannot hold them. */
  public static InfeasibleException pins(String message) {
    return new InfeasibleException(ErrorCode.INVALID_ARGUMENT, "pins: " + message);
  }

  /** Makes the failure for servers with too little memory. */
  public static InfeasibleException memory(String message) {
    return new InfeasibleException(ErrorCode.EXHAUSTED, "memory: " + message);
  }

  /** Makes the failure for load that cannot be brought within the tolerance. */
  public static InfeasibleException load(String message) {
    return new InfeasibleException(ErrorCode.EXHAUSTED, "load tolerance: " + message);
  }
}
