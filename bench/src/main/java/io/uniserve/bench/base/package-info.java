/** Failures of benchmarks and the project's directory. */
package io.uniserve.bench.base;
