package io.uniserve.simulation.scan;

import java.util.OptionalDouble;

/**
 * A scan that some client asks for.
 *
 * @param arrivalSeconds the time at which it arrives
 * @param from the place where its range begins, in partitions
 * @param length the length of the range, in partitions
 * @param selectivity the share of records that match, 0 to 1
 * @param clientKbPerSecond the rate at which the client can consume
 * @param parallelism the way in which K is found
 * @param priority P(q), or nothing for the least time in which it can end (MC)
 */
public record ScanQuery(
    double arrivalSeconds,
    double from,
    double length,
    double selectivity,
    double clientKbPerSecond,
    Parallelism parallelism,
    OptionalDouble priority) {}
