package io.uniserve.bench.ring;

/**
 * A change of the ring.
 *
 * @param name the kind of change, and its servers
 * @param from the moment at which it was submitted, in seconds since the load began
 * @param to the moment at which it was made
 */
record MadeChange(String name, double from, double to) {}
