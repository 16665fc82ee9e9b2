package io.uniserve.runtime.client;

/**
 * An answer that may lack some actors, and names them.
 *
 * @param result the result of the others; each is counted exactly once
 * @param coverage what is counted and what is not
 */
public record PartialAnswer<R>(R result, Coverage coverage) {}
