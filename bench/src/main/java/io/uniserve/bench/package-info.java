/**
 * Comparisons with peers, measured side by side in one run: the command line, and what all
 * benchmarks share.
 */
package io.uniserve.bench;
