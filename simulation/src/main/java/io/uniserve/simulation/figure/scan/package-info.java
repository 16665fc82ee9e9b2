/**
 * The figures of the paper on adaptive scans (PNUTS §5), and those that compare its one scheduler
 * with servers that grant their own slots.
 */
package io.uniserve.simulation.figure.scan;
