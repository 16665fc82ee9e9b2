/**
 * Measurements of the time that placement policies take for large clusters, and of the quality of
 * their results.
 */
package io.uniserve.bench.placement;
