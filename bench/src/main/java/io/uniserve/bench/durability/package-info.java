/**
 * Measurements of the cost of durability for an update, and of the time for which the actors of a
 * lost server are unavailable.
 */
package io.uniserve.bench.durability;
