package io.uniserve.runtime.server.restore;

import io.uniserve.api.partition.Partitioner;

/**
 * A change of an actor's keys.
 *
 * @param millis its time
 * @param partitioner maps each key to its actor
 * @param generation the generation of the actor's keys from now on
 */
record Retained(long millis, Partitioner partitioner, int generation) {}
