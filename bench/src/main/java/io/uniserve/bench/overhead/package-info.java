/**
 * What the runtime itself costs: a query of one actor that does nothing but answer, beside a direct
 * call of that actor in one process, and beside a bare gRPC call between two.
 */
package io.uniserve.bench.overhead;
