/**
 * Measurements of the runtime's own cost: a query of one actor that only answers, beside a direct
 * call of that actor in one process, and beside a bare gRPC call between two processes.
 */
package io.uniserve.bench.overhead;
