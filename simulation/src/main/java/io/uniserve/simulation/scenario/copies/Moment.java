package io.uniserve.simulation.scenario.copies;

/** The moment at which the disks of a cluster are copied, and who then runs. */
enum Moment {
  /** The disks are copied while the original runs, which goes on. */
  BESIDE,
  /** The disks are copied after the original has ended. The copy runs first, and both later. */
  AFTER,
  /** The disks are copied after the original has ended. Then both are started at once. */
  AT_ONCE
}
