package io.uniserve.simulation.fault;

/**
 * Something that goes wrong for a while.
 *
 * @param begin lets it go wrong
 * @param end repairs it
 */
record Fault(Runnable begin, Runnable end) {}
