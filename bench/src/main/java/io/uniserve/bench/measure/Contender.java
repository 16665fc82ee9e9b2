package io.uniserve.bench.measure;

import java.time.Duration;
import java.util.function.Function;

/**
 * One side of a comparison.
 *
 * @param name as the report names it, different from the others'
 * @param processId the process whose CPU is measured
 * @param run does the work over and over for about so long, and returns how long each took
 */
public record Contender(String name, long processId, Function<Duration, Latencies> run) {}
