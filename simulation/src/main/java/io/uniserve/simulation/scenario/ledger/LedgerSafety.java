package io.uniserve.simulation.scenario.ledger;

/** The safety of the first server's acknowledgements. */
public enum LedgerSafety {
  /** A number is on the disk before it is acknowledged or copied. */
  FORCED,
  /** A number may be acknowledged before it is on disk: a defect that the simulator must find. */
  UNFORCED
}
