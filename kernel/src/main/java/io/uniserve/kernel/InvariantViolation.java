package io.uniserve.kernel;

/**
 * An error that shows the system to be in a state that must not exist. It is caught only to stop
 * the process that found it.
 */
public final class InvariantViolation extends Error {
  private static final long serialVersionUID = 1L;

  private final Invariant invariant;

  InvariantViolation(Invariant invariant, String detail) {
    super(invariant + " is violated: " + detail);
    this.invariant = invariant;
  }

  /** Returns the broken invariant. */
  public Invariant invariant() {
    return invariant;
  }
}
