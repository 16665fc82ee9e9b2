/**
 * Measurements of the cost of an update at each consistency level, and of updates of several tables
 * at once.
 */
package io.uniserve.bench.updates;
