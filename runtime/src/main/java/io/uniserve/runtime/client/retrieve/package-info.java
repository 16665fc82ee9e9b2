/**
 * Queries that retrieve: the attempts at each actor, copies that are hedged, and progress until all
 * have answered.
 */
package io.uniserve.runtime.client.retrieve;
