/** Plots as SVG: lines, points and steps over two axes. */
package io.uniserve.simulation.plot;
