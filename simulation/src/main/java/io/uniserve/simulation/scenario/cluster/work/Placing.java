package io.uniserve.simulation.scenario.cluster.work;

/** When placement policies decide in a run. */
public enum Placing {
  /** Never. */
  NEVER,
  /** When a client asks for it. */
  ON_REQUEST,
  /** Then, and on an interval. */
  ON_INTERVAL
}
