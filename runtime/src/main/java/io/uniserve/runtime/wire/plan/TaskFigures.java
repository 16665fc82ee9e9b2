package io.uniserve.runtime.wire.plan;

/**
 * The figures of one task.
 *
 * @param elapsedNanos the time from its begin on a worker to its end
 * @param cpuNanos CPU time
 * @param cost the cost, as the engine reports it, or CPU microseconds
 * @param chunks that it read or made
 * @param bytes the bytes of these chunks
 * @param datasets that it made
 * @param rows that the operator reported
 */
public record TaskFigures(
    long elapsedNanos,
    long cpuNanos,
    double cost,
    long chunks,
    long bytes,
    int datasets,
    long rows) {}
