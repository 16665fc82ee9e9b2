package io.uniserve.bench.measure;

import java.time.Duration;

/**
 * A plan of a measurement.
 *
 * @param window the length of one measured window
 * @param rounds the number of quiet windows that each system should have
 * @param roundsMax the largest number of rounds, even if not enough windows were quiet
 * @param warmUpMax the longest warm-up, even if the system is not steady
 * @param foreignCoresMax a window in which other processes used more cores is rejected
 */
public record MeasurePlan(
    Duration window, int rounds, int roundsMax, Duration warmUpMax, double foreignCoresMax) {}
