package io.uniserve.bench.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * One side of a comparison.
 *
 * @param name the name in the report, different from the others'
 * @param processIds the processes whose CPU is measured
 * @param run does the work over and over for about the given time, and returns the latency of each
 */
public record Contender(String name, List<Long> processIds, Function<Duration, Latencies> run) {
  /** Creates a side that is one process. */
  public Contender(String name, long processId, Function<Duration, Latencies> run) {
    this(name, List.of(processId), run);
  }
}
