/** A figure that can be made: its charts and numbers, and the claims that it tests. */
package io.uniserve.simulation.figure.result;
