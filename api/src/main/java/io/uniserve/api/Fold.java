package io.uniserve.api;

import java.util.function.BiFunction;

/** The combiner of {@link Operator.Combine#fold}. */
final class Fold<V, R> implements Operator.Combiner<V, R> {
  private final BiFunction<R, V, R> step;
  private R answer;

  Fold(R start, BiFunction<R, V, R> step) {
    this.step = step;
    answer = start;
  }

  @Override
  public void add(int actor, V value) {
    answer = step.apply(answer, value);
  }

  @Override
  public R result() {
    return answer;
  }
}
