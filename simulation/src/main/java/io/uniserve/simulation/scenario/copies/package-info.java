/** A cluster, and another one from copies of its disks, on one durable store. */
package io.uniserve.simulation.scenario.copies;
