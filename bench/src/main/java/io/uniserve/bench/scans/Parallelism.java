package io.uniserve.bench.scans;

import java.util.Optional;

/**
 * A way to choose K.
 *
 * @param slots the number, or empty to find it
 */
record Parallelism(Optional<Integer> slots) {
  static final Parallelism ASA = new Parallelism(Optional.empty());

  static Parallelism of(int slots) {
    return new Parallelism(Optional.of(slots));
  }

  @Override
  public String toString() {
    return slots.map(fixed -> "K = " + fixed).orElse("ASA");
  }
}
