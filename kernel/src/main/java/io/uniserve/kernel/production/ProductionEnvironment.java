package io.uniserve.kernel.production;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The environment of a real process. Processes that share a JVM may share everything but the
 * storage and the transport.
 */
public record ProductionEnvironment(
    Clock clock, Threads threads, Storage storage, RandomGenerator random, Transport transport)
    implements Environment {

  /** Returns a generator of random numbers for any number of threads, different in every run. */
  public static RandomGenerator unseeded() {
    return () -> ThreadLocalRandom.current().nextLong();
  }
}
