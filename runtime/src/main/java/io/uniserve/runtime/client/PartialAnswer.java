package io.uniserve.runtime.client;

/**
 * An answer that may lack some actors, and names them.
 *
 * @param result the result of the others; each is counted exactly once
 * @param coverage the actors that are counted, and those that are not
 */
public record PartialAnswer<R>(R result, Coverage coverage) {}
