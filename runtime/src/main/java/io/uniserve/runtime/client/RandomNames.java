package io.uniserve.runtime.client;

import io.uniserve.kernel.Environment;
import java.util.random.RandomGenerator;

/** Names that nobody else chooses: 128 random bits. */
final class RandomNames {
  private RandomNames() {}

  static String next(Environment environment) {
    RandomGenerator random = environment.random();
    return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
  }
}
