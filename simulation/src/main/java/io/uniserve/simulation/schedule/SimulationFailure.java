package io.uniserve.simulation.schedule;

/** A failure: the simulated system, or the simulation itself, did what it must not do. */
public final class SimulationFailure extends Error {
  private static final long serialVersionUID = 1L;

  /** The kinds of failure. */
  public enum Kind {
    /** Nothing can run, nothing will happen, and the goal is not reached. */
    DEADLOCK,
    /** The goal is not reached in the time given. */
    NO_PROGRESS,
    /** The run took more steps than the budget; some code loops. */
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
   * @param kind the kind of failure
   * @param detail a description of what was found
   */
  public SimulationFailure(Kind kind, String detail) {
    this(kind, detail, null);
  }

  /**
   * @param kind the kind of failure
   * @param detail a description of what was found
   * @param cause the cause, or null
   */
  public SimulationFailure(Kind kind, String detail, Throwable cause) {
    super(kind + ": " + detail, cause);
    this.kind = kind;
  }

  /** Returns the kind of failure. */
  public Kind kind() {
    return kind;
  }
}
