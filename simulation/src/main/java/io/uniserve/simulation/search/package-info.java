/** The search for seeds that fail, and the shrinking of their runs. */
package io.uniserve.simulation.search;
