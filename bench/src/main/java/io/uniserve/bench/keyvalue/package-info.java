/** A key-value engine on SQLite, and the same database without a cluster. */
package io.uniserve.bench.keyvalue;
