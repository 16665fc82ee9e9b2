package io.uniserve.policy.scanning;

/**
 * The rates of a measurement.
 *
 * @param rate the rate at which the client consumed
 * @param slotRate the rate at which a slot read; NaN if no page has arrived
 */
record Seen(double rate, double slotRate) {}
