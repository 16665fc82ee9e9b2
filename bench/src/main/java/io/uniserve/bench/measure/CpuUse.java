package io.uniserve.bench.measure;

/**
 * CPU over a span.
 *
 * @param elapsedNanos the span
 * @param serverCpuNanos what the measured process took
 * @param foreignCores what processes that are not the benchmark's took, as a number of cores
 */
public record CpuUse(long elapsedNanos, long serverCpuNanos, double foreignCores) {}
