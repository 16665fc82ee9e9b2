/** The scenarios that can be played by name. */
package io.uniserve.simulation.scenario;
