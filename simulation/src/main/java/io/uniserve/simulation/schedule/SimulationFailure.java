package io.uniserve.simulation.schedule;

/** The simulated system, or the simulation itself, did what it must not do. */
public final class SimulationFailure extends Error {
  private static final long serialVersionUID = 1L;

  /** What kind of failure. */
  public enum Kind {
    /** Nothing can run, nothing will happen, and the goal is not reached. */
    DEADLOCK,
    /** The goal is not reached in the time given. */
    NO_PROGRESS,
    /** More steps than the budget: something turns in a circle. */
    STEP_BUDGET,
    /**
     * A thread that the scheduler does not know woke a simulated one: the run cannot be replayed.
     */
    FOREIGN_WAKE_UP,
    /** A simulated thread waits on the wall clock or for a monitor: the run cannot be replayed. */
    UNSEEN_WAIT,
    /** A simulated thread ended with an exception that nobody expects. */
    UNCAUGHT,
    /** A check of the scenario does not hold. */
    CHECK
  }

  private final Kind kind;

  /**
   * @param kind what kind of failure
   * @param detail what was found
   */
  public SimulationFailure(Kind kind, String detail) {
    this(kind, detail, null);
  }

  /**
   * @param kind what kind of failure
   * @param detail what was found
   * @param cause what it follows from, or null
   */
  public SimulationFailure(Kind kind, String detail, Throwable cause) {
    super(kind + ": " + detail, cause);
    this.kind = kind;
  }

  /** What kind of failure. */
  public Kind kind() {
    return kind;
  }
}
