package io.uniserve.bench.measure;

/**
 * Several measurements of the same thing.
 *
 * @param count how many measurements these are
 */
public record Spread(double median, double least, double greatest, int count) {}
