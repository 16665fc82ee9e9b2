/** The search for seeds that fail, and the shrinking of what they do. */
package io.uniserve.simulation.search;
