package io.uniserve.policy.placement.model;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A failure because no assignment meets all constraints. Its message begins with the constraint
 * that cannot be met.
 */
public final class Infeasible extends UniserveException {
  private static final long serialVersionUID = 1L;

  private Infeasible(ErrorCode code, String message) {
    super(code, message);
  }

  /** Makes the failure for a cluster without a server that may hold actors. */
  public static Infeasible servers(String message) {
    return new Infeasible(ErrorCode.EXHAUSTED, "servers: " + message);
  }

  /** Makes the failure for actors that are pinned to servers that cannot hold them. */
  public static Infeasible pins(String message) {
    return new Infeasible(ErrorCode.INVALID_ARGUMENT, "pins: " + message);
  }

  /** Makes the failure for servers with too little memory. */
  public static Infeasible memory(String message) {
    return new Infeasible(ErrorCode.EXHAUSTED, "memory: " + message);
  }

  /** Makes the failure for load that cannot be brought within the tolerance. */
  public static Infeasible load(String message) {
    return new Infeasible(ErrorCode.EXHAUSTED, "load tolerance: " + message);
  }
}
