package io.uniserve.simulation.scenario.ledger;

/** Whether the first server keeps its promise. */
public enum LedgerSafety {
  /** A number is on the disk before it is acknowledged or copied. */
  FORCED,
  /** It is not: a defect that the simulator must find. */
  UNFORCED
}
