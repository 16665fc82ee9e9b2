package io.uniserve.bench.measure;

/**
 * Several measurements of the same quantity.
 *
 * @param count the number of measurements
 */
public record Spread(double median, double least, double greatest, int count) {}
