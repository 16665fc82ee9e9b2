package io.uniserve.testkit.engine;

import io.uniserve.api.Plan;
import java.util.Optional;

/**
 * A query whose answers tell a sound actor from another. Answers are compared by {@code equals}.
 *
 * @param name says in a few words what is asked; no two questions share one
 * @param plan reads the table under test, by its name
 * @param whenEmpty the answer of a new table, if known
 * @param whenFilled the answer after all batches, if known
 * @param <R> the answer
 */
public record Question<R>(
    String name, Plan<R> plan, Optional<R> whenEmpty, Optional<R> whenFilled) {

  /** A question with known answers: that of a new table, and that after all batches. */
  public static <R> Question<R> of(String name, Plan<R> plan, R whenEmpty, R whenFilled) {
    return new Question<>(name, plan, Optional.of(whenEmpty), Optional.of(whenFilled));
  }

  /**
   * A question whose answers are compared with each other only, such as for everything that a table
   * holds, in order.
   */
  public static <R> Question<R> comparing(String name, Plan<R> plan) {
    return new Question<>(name, plan, Optional.empty(), Optional.empty());
  }
}
