package io.uniserve.runtime.wire.plan;

/**
 * One try at one task.
 *
 * @param number the number of the task within its stage
 * @param attempt the number of the attempt
 * @param input the data that it reads
 */
public record Task(int number, int attempt, Input input) {}
