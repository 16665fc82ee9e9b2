package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import java.util.List;

/**
 * The input of a task.
 *
 * @param sets the sets, in the order of their numbers
 * @param firstNumber that of the first
 */
record Datum(List<? extends Dataset> sets, int firstNumber) {
  /** Passes each dataset on with its number. */
  void forEach(Taker taker) {
    for (int i = 0; i < sets.size(); i++) {
      taker.take(sets.get(i), firstNumber + i);
    }
  }

  /** A receiver of datasets. */
  @FunctionalInterface
  interface Taker {
    /** Takes one dataset. */
    void take(Dataset set, int number);
  }
}
