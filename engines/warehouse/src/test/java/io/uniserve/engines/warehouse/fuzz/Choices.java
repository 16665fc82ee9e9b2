package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Choices that all follow from one seed. */
final class Choices {
  private final Random random;

  Choices(Random random) {
    this.random = random;
  }

  /** A number from 0, less than a bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** A number between two, both included. */
  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  @SafeVarargs
  final <T> T oneOf(T... all) {
    return all[random.nextInt(all.length)];
  }

  <T> List<T> shuffled(List<T> all) {
    List<T> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** Some of them, at least one, each once. */
  <T> List<T> some(List<T> all) {
    return shuffled(all).subList(0, between(1, all.size()));
  }
}
