package io.uniserve.testkit.engine;

import io.uniserve.api.Plan;
import java.util.Optional;

/**
 * A query whose answers distinguish a sound actor from a defective one. Answers are compared by
 * {@code equals}.
 *
 * @param name a unique description in a few words
 * @param plan a plan that reads the table under test, by its name
 * @param whenEmpty the answer of a new table, if known
 * @param whenFilled the answer after all batches, if known
 * @param <R> the answer
 */
public record Question<R>(
    String name, Plan<R> plan, Optional<R> whenEmpty, Optional<R> whenFilled) {

  /** Makes a question with known answers: that of a new table, and that after all batches. */
  public static <R> Question<R> of(String name, Plan<R> plan, R whenEmpty, R whenFilled) {
    return new Question<>(name, plan, Optional.of(whenEmpty), Optional.of(whenFilled));
  }

  /**
   * Makes a question whose answers are only compared with each other, such as one for all contents
   * of a table, in order.
   */
  public static <R> Question<R> comparing(String name, Plan<R> plan) {
    return new Question<>(name, plan, Optional.empty(), Optional.empty());
  }
}
