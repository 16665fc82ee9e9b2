/**
 * Measurements of what writers and readers of each level of updates see of a fault: a cluster of
 * real processes, requests without a pause, one fault after another.
 */
package io.uniserve.bench.faults;
