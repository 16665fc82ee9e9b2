package io.uniserve.bench.measure;

/**
 * The CPU time over a span.
 *
 * @param elapsedNanos the length of the span
 * @param serverCpuNanos the CPU time of the measured processes
 * @param foreignCores the CPU time of processes outside the benchmark, as a number of cores
 */
public record CpuUse(long elapsedNanos, long serverCpuNanos, double foreignCores) {}
