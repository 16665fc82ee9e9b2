package io.uniserve.simulation.disk;

import java.io.IOException;
import java.util.random.RandomGenerator;

/** The faults of one disk at present. */
final class DiskFaults {
  private double writes;
  private double reads;
  private double forces;

  void failWrites(double share) {
    writes = share;
  }

  void failReads(double share) {
    reads = share;
  }

  void failForces(double share) {
    forces = share;
  }

  boolean writeFails(RandomGenerator random) {
    return fails(writes, random);
  }

  boolean readFails(RandomGenerator random) {
    return fails(reads, random);
  }

  boolean forceFails(RandomGenerator random) {
    return fails(forces, random);
  }

  /**
   * Returns whether an operation fails. It draws nothing while there is no fault, so that runs
   * without such faults stay the same.
   */
  private static boolean fails(double share, RandomGenerator random) {
    return share > 0 && random.nextDouble() < share;
  }

  /** Returns the failure that a system reports. */
  static IOException failure(Object what) {
    return new IOException(what + ": Input/output error");
  }
}
