package io.uniserve.runtime.client;

/**
 * An answer that may lack some actors, and which.
 *
 * @param result what the others give together; each is counted exactly once
 * @param coverage what is counted and what is not
 */
public record PartialAnswer<R>(R result, Coverage coverage) {}
