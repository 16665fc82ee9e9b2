package io.uniserve.simulation.scenario;

import java.util.stream.LongStream;

/**
 * The seeds that a scenario is tested with. {@code mvn -Dseed=17} plays that one alone, {@code
 * -Dseeds=1000} plays more.
 */
final class Seeds {
  private Seeds() {}

  /** For scenarios that try the simulator itself. */
  static LongStream few() {
    return seeds(40);
  }

  /** For a second scenario on the same ground: the longer runs are {@code ./uniserve simulate}. */
  static LongStream some() {
    return seeds(12);
  }

  /** For scenarios that try the system. */
  static LongStream many() {
    return seeds(100);
  }

  private static LongStream seeds(long usually) {
    Long one = Long.getLong("seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("seeds", usually));
  }
}
