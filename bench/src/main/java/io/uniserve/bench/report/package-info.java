/**
 * Results as a table on the terminal, as JSON, as a section of the documentation, and as a plot.
 */
package io.uniserve.bench.report;
