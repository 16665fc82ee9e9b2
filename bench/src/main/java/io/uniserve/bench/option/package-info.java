/** Options that benchmarks share. */
package io.uniserve.bench.option;
