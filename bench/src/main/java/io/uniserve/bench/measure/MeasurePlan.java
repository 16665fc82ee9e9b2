package io.uniserve.bench.measure;

import java.time.Duration;

/**
 * How long and how often.
 *
 * @param window the length of one measured window
 * @param rounds how many quiet windows each system should have
 * @param roundsMax rounds end after so many even if not enough windows were quiet
 * @param warmUpMax a system is measured after so much warm-up even if it is not steady
 * @param foreignCoresMax a window in which other processes took more is thrown away
 */
public record MeasurePlan(
    Duration window, int rounds, int roundsMax, Duration warmUpMax, double foreignCoresMax) {}
