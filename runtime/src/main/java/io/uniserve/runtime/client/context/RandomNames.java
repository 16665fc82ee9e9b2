package io.uniserve.runtime.client.context;

import io.uniserve.kernel.Environment;
import java.util.random.RandomGenerator;

/** Random names that nobody else chooses, of 128 bits. */
public final class RandomNames {
  private RandomNames() {}

  public static String next(Environment environment) {
    RandomGenerator random = environment.random();
    return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
  }
}
