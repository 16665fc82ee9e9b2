/** One simulated run of a scenario. */
package io.uniserve.simulation.run;
