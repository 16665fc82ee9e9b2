package io.uniserve.policy.placement.model;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** No assignment holds all constraints; the message begins with the one that cannot hold. */
public final class Infeasible extends UniserveException {
  private static final long serialVersionUID = 1L;

  private Infeasible(ErrorCode code, String message) {
    super(code, message);
  }

  /** There is no server that could hold anything. */
  public static Infeasible servers(String message) {
    return new Infeasible(ErrorCode.EXHAUSTED, "servers: " + message);
  }

  /** Actors are pinned where they cannot be. */
  public static Infeasible pins(String message) {
    return new Infeasible(ErrorCode.INVALID_ARGUMENT, "pins: " + message);
  }

  /** The servers' memory is too small. */
  public static Infeasible memory(String message) {
    return new Infeasible(ErrorCode.EXHAUSTED, "memory: " + message);
  }

  /** Load cannot be brought within the tolerance. */
  public static Infeasible load(String message) {
    return new Infeasible(ErrorCode.EXHAUSTED, "load tolerance: " + message);
  }
}
