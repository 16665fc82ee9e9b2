package io.uniserve.policy.placement.podp;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

/**
 * The time and the processors that a decision may use: a policy has neither clock nor threads. Used
 * by one decision at a time.
 */
public interface Compute {

  /** Begins to count down; the supplier says how many milliseconds are left, at least 0. */
  LongSupplier countdown(long millis);

  /** How many tasks run side by side at most. */
  int processors();

  /**
   * Runs all tasks, side by side if there are processors, and gives their results in the tasks'
   * order. The first task in this order that failed lets the whole fail with its exception, once
   * all have ended.
   */
  <T> List<T> runAll(List<Callable<T>> tasks);

  /**
   * One task after another, and as much time as they need: what comes out follows from the input.
   */
  static Compute unhurried() {
    return new Unhurried();
  }

  /** See {@link #unhurried}. */
  final class Unhurried implements Compute {
    private Unhurried() {}

    @Override
    public LongSupplier countdown(long millis) {
      return () -> Long.MAX_VALUE;
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public <T> List<T> runAll(List<Callable<T>> tasks) {
      List<T> results = new ArrayList<>();
      for (Callable<T> task : tasks) {
        try {
          results.add(task.call());
        } catch (Exception e) {
          throw UniserveException.of(e);
        }
      }
      return results;
    }
  }
}
