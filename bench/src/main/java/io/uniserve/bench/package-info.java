/**
 * Comparisons with peers, measured side by side in one run: the command line and the code that all
 * benchmarks share.
 */
package io.uniserve.bench;
