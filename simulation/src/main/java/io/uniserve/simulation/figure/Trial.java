package io.uniserve.simulation.figure;

/**
 * One policy in one trial.
 *
 * @param x the place in the figure
 * @param policy its name
 * @param trial its number
 * @param p50 median latency, in milliseconds
 * @param p99 latency, in milliseconds
 * @param queue99 p99 of the queue sizes
 * @param clustering mean, of the queries that the policy was told of
 * @param moves copies moved
 */
public record Trial(
    double x,
    String policy,
    int trial,
    double p50,
    double p99,
    int queue99,
    double clustering,
    int moves) {}
