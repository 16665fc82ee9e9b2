package io.uniserve.simulation.scenario;

import java.util.stream.LongStream;

/**
 * The seeds with which a scenario is tested. {@code mvn -Dseed=17} runs that seed alone, {@code
 * -Dseeds=1000} runs more.
 */
final class Seeds {
  private Seeds() {}

  /** Returns the seeds for scenarios that test the simulator itself. */
  static LongStream few() {
    return seeds(40);
  }

  /**
   * Returns the seeds for a further scenario of a part that another scenario tests already. Longer
   * runs are made by {@code ./uniserve simulate}.
   */
  static LongStream some() {
    return seeds(12);
  }

  /** Returns the seeds for scenarios that test the system. */
  static LongStream many() {
    return seeds(100);
  }

  private static LongStream seeds(long usually) {
    Long one = Long.getLong("seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("seeds", usually));
  }
}
