/**
 * A key-value engine on SQLite, the same database without a cluster, and a cluster of processes
 * with the engine.
 */
package io.uniserve.bench.keyvalue;
