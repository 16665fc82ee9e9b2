package io.uniserve.kernel;

/**
 * The system is in a state that must not exist. Never caught but to stop the process that found it.
 */
public final class InvariantViolation extends Error {
  private static final long serialVersionUID = 1L;

  private final Invariant invariant;

  InvariantViolation(Invariant invariant, String detail) {
    super(invariant + " is violated: " + detail);
    this.invariant = invariant;
  }

  /** Which invariant. */
  public Invariant invariant() {
    return invariant;
  }
}
