package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import java.util.List;

/**
 * What a task reads.
 *
 * @param sets in the order of their numbers
 * @param firstNumber that of the first
 */
record Datum(List<? extends Dataset> sets, int firstNumber) {
  /** Takes each with its number. */
  void forEach(Taker taker) {
    for (int i = 0; i < sets.size(); i++) {
      taker.take(sets.get(i), firstNumber + i);
    }
  }

  /** Takes datasets. */
  @FunctionalInterface
  interface Taker {
    /** One of them. */
    void take(Dataset set, int number);
  }
}
