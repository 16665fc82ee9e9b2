package io.uniserve.simulation.scan;

import io.uniserve.policy.scanning.AllocationSettings;

/** A way to find the desired parallelism of a scan. */
public sealed interface Parallelism {
  /** A number that stays the same. */
  record Fixed(int slots) implements Parallelism {
    @Override
    public String toString() {
      return "K = " + slots;
    }
  }

  /** Adaptive server allocation. */
  record Adaptive(AllocationSettings settings) implements Parallelism {
    @Override
    public String toString() {
      return "ASA";
    }
  }
}
