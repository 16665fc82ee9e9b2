/** Durable stores that lose and damage their contents. */
package io.uniserve.simulation.scenario.cluster.store;
