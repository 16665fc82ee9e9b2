package io.uniserve.policy.placement.podp;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

/**
 * The time and the processors that a decision may use, since a policy has neither a clock nor
 * threads. Only one decision uses it at a time.
 */
public interface Compute {

  /** Begins to count down. The supplier returns the milliseconds that are left, at least 0. */
  LongSupplier countdown(long millis);

  /** Returns the greatest number of tasks that run in parallel. */
  int processors();

  /**
   * Runs all tasks, in parallel if there are processors, and returns their results in the tasks'
   * order. If tasks fail, it throws the exception of the first one in this order, once all have
   * ended.
   */
  <T> List<T> runAll(List<Callable<T>> tasks);

  /**
   * Returns one that runs tasks one after another without a time limit, so that results depend on
   * the input alone.
   */
  static Compute unhurried() {
    return new Unhurried();
  }

  /** The implementation of {@link #unhurried}. */
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
