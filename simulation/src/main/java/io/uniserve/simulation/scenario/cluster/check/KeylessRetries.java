package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The updates without an idempotency key whose failures were retryable. None of them has happened
 * by then. One that is not sent again never happens, although its request may still be under way.
 */
public final class KeylessRetries {
  private final LongPredicate happened;
  private final Map<String, List<Operation>> abandoned = new LinkedHashMap<>();
  private int count;

  /**
   * @param happened tells whether any copy has ever applied the operation of a number
   */
  public KeylessRetries(LongPredicate happened) {
    this.happened = happened;
  }

  void toldToRetry(String key, List<Operation> operations) {
    count++;
    requireNotHappened(key, operations);
    abandoned.put(key, List.copyOf(operations));
  }

  void sentAgain(String key) {
    abandoned.remove(key);
  }

  /** Returns the number of failures that were retryable. */
  public int count() {
    return count;
  }

  /** Checks that nothing has happened by now of what was not sent again. */
  public void check() {
    abandoned.forEach(this::requireNotHappened);
  }

  private void requireNotHappened(String key, List<Operation> operations) {
    for (Operation operation : operations) {
      Invariant.SAFE_RETRIES.require(
          !happened.test(operation.number()),
          () ->
              "the failure of "
                  + key
                  + ", which has no idempotency key, was retryable, and "
                  + operation
                  + " has happened all the same");
    }
  }
}
