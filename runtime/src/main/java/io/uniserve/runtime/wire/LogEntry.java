package io.uniserve.runtime.wire;

/**
 * One update in the log of an actor.
 *
 * @param position its place
 * @param key its idempotency key
 * @param function the update function
 * @param records the list of records
 */
public record LogEntry(Position position, String key, Payload function, Payload records) {}
