package io.uniserve.runtime.client.context;

import io.uniserve.kernel.Environment;
import java.util.random.RandomGenerator;

/** Names that nobody else chooses: 128 random bits. */
public final class RandomNames {
  private RandomNames() {}

  public static String next(Environment environment) {
    RandomGenerator random = environment.random();
    return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
  }
}
