/** Measurements of the cost of an update at each consistency level, beside the bare engine. */
package io.uniserve.bench.updates;
