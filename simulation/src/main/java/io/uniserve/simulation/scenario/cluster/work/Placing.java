package io.uniserve.simulation.scenario.cluster.work;

/** The times at which placement policies decide in a run. */
public enum Placing {
  /** They never decide. */
  NEVER,
  /** They decide when a client asks for it. */
  ON_REQUEST,
  /** They decide on request and on an interval. */
  ON_INTERVAL
}
