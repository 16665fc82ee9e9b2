package io.uniserve.runtime.wire.cluster;

import io.uniserve.kernel.Address;

/**
 * One server.
 *
 * @param name chosen by whoever starts it; the same over restarts
 * @param address where it listens
 * @param incarnation which life of its process this is, from 1
 * @param alive false once its failure was confirmed, until it joins again
 */
public record ServerState(String name, Address address, long incarnation, boolean alive) {}
