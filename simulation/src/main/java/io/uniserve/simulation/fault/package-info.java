/** What goes wrong in a simulated cluster, when, and how it ends. */
package io.uniserve.simulation.fault;
