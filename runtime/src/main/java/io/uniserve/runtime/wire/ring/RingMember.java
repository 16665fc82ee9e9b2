package io.uniserve.runtime.wire.ring;

import io.uniserve.api.partition.PartitionKey;

/**
 * A server on a ring. It owns the keys from its identifier to the next.
 *
 * @param at its identifier, which is a place of keys; see {@link
 *     io.uniserve.api.partition.RingPlaces}
 * @param server the server's name
 */
public record RingMember(PartitionKey at, String server) {}
