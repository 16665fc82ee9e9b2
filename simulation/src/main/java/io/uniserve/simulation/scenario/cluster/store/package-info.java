/** Durable stores that lose and damage what they hold. */
package io.uniserve.simulation.scenario.cluster.store;
