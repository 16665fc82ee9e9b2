package io.uniserve.engines.warehouse.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/** The outcome of a statement. */
sealed interface Outcome {
  /**
   * An answer.
   *
   * @param rows a text for each, alike for equal values
   */
  record Rows(List<String> rows) implements Outcome {
    @Override
    public String toString() {
      return rows.stream()
          .limit(30)
          .collect(Collectors.joining("\n    ", rows.size() + " rows\n    ", ""));
    }
  }

  /**
   * It is not understood, or cannot be run: whatever the data is.
   *
   * @param byName true if a query is refused as more than there is, not as wrong
   */
  record Refused(String message, boolean byName) implements Outcome {}

  /** It failed for what the data is, as where a number is too large. */
  record Failed(String message) implements Outcome {}

  /** A defect. */
  record Broken(String message) implements Outcome {}
}
