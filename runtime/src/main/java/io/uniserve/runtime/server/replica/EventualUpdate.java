package io.uniserve.runtime.server.replica;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;

/**
 * An update that its actor's primary applies alone.
 *
 * @param generation the generation of the actor's keys, as far as the caller knows
 * @param partitioner the partitioner of the table
 * @param key the idempotency key
 * @param function the update function
 * @param records the list of records
 */
record EventualUpdate(
    int generation, Partitioner partitioner, UpdateKey key, Payload function, Payload records) {}
